import type { DeclaredType } from '../types/declared-type.ts';

/**
 * The representations of a node's value in generated code:
 *
 * - `value`: as in values/value.ts; ints are safe numbers, larger ones bail out to the interpreter
 * - `double`: a plain number
 * - `data`: a list, map or object of the caller, not yet validated inside
 * - `array`: a JavaScript array that a loop is appending to
 * - `raw`: undeclared JSON of the caller, or a value; see undeclared.ts
 */
export type Operand =
  | { readonly form: 'value'; readonly js: string }
  | { readonly form: 'double'; readonly js: string }
  | { readonly form: 'data'; readonly js: string; readonly type: DeclaredType }
  | { readonly form: 'array'; readonly js: string }
  | RawOperand;

/** Undeclared JSON of the caller; `js` is a name. */
export interface RawOperand {
  readonly form: 'raw';
  readonly js: string;
  /** `dyn` */
  readonly type: DeclaredType;
}

export function value(js: string): Operand {
  return { form: 'value', js };
}

export function double(js: string): Operand {
  return { form: 'double', js };
}

/** Part of the expression is not supported by code generation. */
export class Unsupported extends Error {}
