import type { DeclaredType } from '../types/declared-type.ts';

/**
 * How generated code holds the value of a node:
 *
 * - `value`: as values/value.ts has it; an int is always a safe number there, larger ones are left to the interpreter
 * - `double`: a plain number
 * - `data`: a list, map or object of the caller's that has been looked at from outside only
 * - `array`: a JavaScript array of values that a loop is adding to
 */
export type Operand =
  | { readonly form: 'value'; readonly js: string }
  | { readonly form: 'double'; readonly js: string }
  | { readonly form: 'data'; readonly js: string; readonly type: DeclaredType }
  | { readonly form: 'array'; readonly js: string };

export function value(js: string): Operand {
  return { form: 'value', js };
}

export function double(js: string): Operand {
  return { form: 'double', js };
}

/** The expression has a part that no code is generated for. */
export class Unsupported extends Error {}
