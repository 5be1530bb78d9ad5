import type { CharClass } from './char-class.ts';

const digit = [0x30, 0x39];
const upper = [0x41, 0x5a];
const lower = [0x61, 0x7a];
const word = [...digit, ...upper, 0x5f, 0x5f, ...lower];

/** `\d`, `\s`, `\w` by letter. ASCII only, and `\s` without the vertical tab: RE2's rules. */
export const perlClasses: ReadonlyMap<string, CharClass> = new Map([
  ['d', digit],
  ['s', [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]],
  ['w', word],
]);

/** `[:alpha:]` and the others by name. */
export const posixClasses: ReadonlyMap<string, CharClass> = new Map([
  ['alnum', [...digit, ...upper, ...lower]],
  ['alpha', [...upper, ...lower]],
  ['ascii', [0x00, 0x7f]],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0x00, 0x1f, 0x7f, 0x7f]],
  ['digit', digit],
  ['graph', [0x21, 0x7e]],
  ['lower', lower],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x09, 0x0d, 0x20, 0x20]],
  ['upper', upper],
  ['word', word],
  ['xdigit', [...digit, 0x41, 0x46, 0x61, 0x66]],
]);
