import { MetadataTypeError } from '../../schema/index.ts';

/**
 * A CustomResourceDefinition has a value of the wrong type; the caller answers 400. The message is that of Go's JSON
 * decoder, because clients see it. Code that normalizes objects handles it like metadata of a wrong type.
 */
export class CrdDecodeError extends MetadataTypeError {}
