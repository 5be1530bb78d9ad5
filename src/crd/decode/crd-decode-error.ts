import { MetadataTypeError } from '../../schema/index.ts';

/**
 * A CustomResourceDefinition whose JSON has a value of the wrong type somewhere; the caller answers 400. The text is
 * the one Go's JSON decoder gives, for clients see it. To those who normalize objects it is the same as metadata of
 * a wrong type.
 */
export class CrdDecodeError extends MetadataTypeError {}
