import {
  type FieldError,
  type FieldErrorType,
  goFloat,
  goQuote,
  type JsonValue,
  rootPathText,
} from '../../meta/index.ts';
import type { Operand } from './number-rules.ts';

/** One error, at a path relative to the validated value. */
interface Finding {
  readonly type: FieldErrorType;
  /** The path; undefined for errors that upstream reports without a field. */
  readonly at: string | undefined;
  readonly value?: JsonValue | undefined;
  /** The value in the error, if it differs from its JSON. */
  readonly valueText?: string;
  readonly detail: string;
  /** Findings with the same message are merged: branches of `allOf` often repeat them. */
  readonly text: string;
}

/** The maximum number of findings: a list of a million invalid items is one error. */
const findingsMax = 1_000;

/** The findings of a walk, and upstream's measure of how well a branch of `anyOf` matches. */
export class Findings {
  readonly #list: Finding[] = [];
  /** True if `x-kubernetes-int-or-string` alone implies no type, as for defaults. */
  readonly takesAnyForIntOrString: boolean;
  /** The number of passed checks: the branch with the most is reported. */
  matches = 0;

  constructor(options: { readonly takesAnyForIntOrString?: boolean } = {}) {
    this.takesAnyForIntOrString = options.takesAnyForIntOrString === true;
  }

  get size(): number {
    return this.#list.length;
  }

  /** True if further findings would be dropped. */
  get isFull(): boolean {
    return this.#list.length >= findingsMax;
  }

  add(finding: Finding): void {
    if (!this.isFull) this.#list.push(finding);
  }

  /** Adds an error whose message follows the path: `P in body WORDS`. */
  addText(at: string, value: JsonValue, text: string, type: FieldErrorType = 'FieldValueInvalid'): void {
    this.add({ type, at, value, detail: text, text });
  }

  /** Adds an error for a number, printed as the Go type that upstream compared. */
  addNumber(at: string, { value, asInteger }: Operand, text: string): void {
    const shown = asInteger ? {} : { valueText: goFloat(Number(value)) };
    this.add({ type: 'FieldValueInvalid', at, value, detail: text, text, ...shown });
  }

  /** Adds an error that upstream reports without a field. */
  addRootText(text: string): void {
    this.add({ type: 'FieldValueInvalid', at: undefined, value: '', detail: text, text });
  }

  /** Adds the findings of a branch. */
  merge(other: Findings): void {
    for (const finding of other.#list) this.add(finding);
    this.matches += other.matches;
  }

  /** Adds the errors of a map key: at the map's path, with the key as the value, once per key. */
  mergeOfKey(other: Findings, path: string, key: string): void {
    for (const finding of other.#list) {
      const value = finding.at === undefined ? key : finding.value;
      // This type of error has no value.
      const { detail: text } = finding;
      const detail = finding.type === 'FieldValueTooLong' ? `${text}: key ${goQuote(key)}` : text;
      this.add({ ...finding, at: path, value, detail, text: `${finding.text}\0${key}` });
    }
    this.matches += other.matches;
  }

  /** Drops all findings after the first `size`. */
  forgetSince(size: number): void {
    this.#list.length = size;
  }

  /** The field errors without duplicates; paths are below `base`, which is empty or a field. */
  toFieldErrors(base: string): FieldError[] {
    const seen = new Set<string>();
    const errors: FieldError[] = [];
    for (const { at, text, ...error } of this.#list) {
      if (seen.has(text)) continue;
      seen.add(text);
      errors.push({ ...error, field: fieldText(base, at) });
    }
    if (this.isFull) {
      errors.push({
        type: 'FieldValueInvalid',
        field: fieldText(base, ''),
        value: '',
        detail: 'too many errors',
      });
    }
    return errors;
  }
}

function fieldText(base: string, at: string | undefined): string {
  const name = at?.startsWith('.') ? at.slice(1) : (at ?? '');
  if (name === '') return base === '' ? rootPathText : base;
  return base === '' ? name : `${base}.${name}`;
}
