import type { ResourceType } from '../../crd/index.ts';
import type { JsonObject } from '../../meta/index.ts';

/** The sections of the Swagger 2.0 document with one entry per path, model or parameter. */
export type Section = 'paths' | 'definitions' | 'parameters';

export const sections: readonly Section[] = ['paths', 'definitions', 'parameters'];

/**
 * An encoding of the Swagger 2.0 document. It is assembled from encoded entries, so that a change of one kind
 * re-encodes only that kind.
 */
export interface SwaggerFormat {
  readonly contentType: string;
  /** Encodes the paths of a resource, without delimiters. */
  encodePaths(type: ResourceType): Uint8Array;
  /** Encodes the entries of a section, without delimiters. */
  encode(section: Section, entries: JsonObject): Uint8Array;
  /** The whole document, as consecutive chunks. */
  assemble(head: JsonObject, parts: Readonly<Record<Section, readonly Uint8Array[]>>): Uint8Array[];
}
