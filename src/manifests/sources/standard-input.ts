import { buffer } from 'node:stream/consumers';
import type { SourceKind } from './source.ts';

/** What names standard input among sources. */
export const standardInput = '-';

/** `-` */
export const standardInputSource: SourceKind = {
  matches: (name) => name === standardInput,
  open: async (name) => [{ file: name, read: () => buffer(process.stdin) }],
};
