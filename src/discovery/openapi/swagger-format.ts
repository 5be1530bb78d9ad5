import type { JsonObject } from '../../meta/index.ts';

/** The sections of the Swagger 2.0 document that have an entry for each path, model and parameter. */
export type Section = 'paths' | 'definitions' | 'parameters';

export const sections: readonly Section[] = ['paths', 'definitions', 'parameters'];

/**
 * How the Swagger 2.0 document is written. It is put together from entries that were encoded once, so that a change
 * of one kind costs the encoding of one kind.
 */
export interface SwaggerFormat {
  readonly contentType: string;
  /** The entries of a section without what stands around them. */
  encode(section: Section, entries: JsonObject): Uint8Array;
  /** The whole document, in pieces that follow each other. */
  assemble(head: JsonObject, parts: Readonly<Record<Section, readonly Uint8Array[]>>): Uint8Array[];
}
