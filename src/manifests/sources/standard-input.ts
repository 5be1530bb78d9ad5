import { buffer } from 'node:stream/consumers';
import type { SourceKind } from './source.ts';

/** The name of standard input as a source. */
export const standardInput = '-';

/** `-` */
export const standardInputSource: SourceKind = {
  matches: (name) => name === standardInput,
  open: async (name) => [{ file: name, read: () => buffer(process.stdin) }],
};
