import {
  type FieldError,
  type FieldErrorType,
  goFloat,
  goQuote,
  type JsonValue,
  rootPathText,
} from '../../meta/index.ts';
import type { Operand } from './number-rules.ts';

/** One broken rule of a schema, at a path relative to the validated value. */
interface Finding {
  readonly type: FieldErrorType;
  /** The path; undefined for those that upstream reports without a field. */
  readonly at: string | undefined;
  readonly value?: JsonValue | undefined;
  /** The value as the error shows it, where its JSON will not do. */
  readonly valueText?: string;
  readonly detail: string;
  /** Findings of the same text are one: branches of `allOf` often say the same. */
  readonly text: string;
}

/** More than this many are not looked for: a list of a million wrong items is one mistake. */
const findingsMax = 1_000;

/** What a walk over a value found, and upstream's measure of how well a branch of `anyOf` fits. */
export class Findings {
  readonly #list: Finding[] = [];
  /** True where `x-kubernetes-int-or-string` alone asks for no type, as for defaults. */
  readonly takesAnyForIntOrString: boolean;
  /** The number of checks that were passed: the branch with the most of them is the one reported. */
  matches = 0;

  constructor(options: { readonly takesAnyForIntOrString?: boolean } = {}) {
    this.takesAnyForIntOrString = options.takesAnyForIntOrString === true;
  }

  get size(): number {
    return this.#list.length;
  }

  /** True where looking further is of no use. */
  get isFull(): boolean {
    return this.#list.length >= findingsMax;
  }

  add(finding: Finding): void {
    if (!this.isFull) this.#list.push(finding);
  }

  /** Adds an error whose text follows the path: `P in body WORDS`. */
  addText(at: string, value: JsonValue, text: string, type: FieldErrorType = 'FieldValueInvalid'): void {
    this.add({ type, at, value, detail: text, text });
  }

  /** Adds an error about a number, which is shown as the Go type that upstream compared it as. */
  addNumber(at: string, { value, asInteger }: Operand, text: string): void {
    const shown = asInteger ? {} : { valueText: goFloat(Number(value)) };
    this.add({ type: 'FieldValueInvalid', at, value, detail: text, text, ...shown });
  }

  /** Adds an error that upstream reports without a field. */
  addRootText(text: string): void {
    this.add({ type: 'FieldValueInvalid', at: undefined, value: '', detail: text, text });
  }

  /** Takes over what a branch found. */
  merge(other: Findings): void {
    for (const finding of other.#list) this.add(finding);
    this.matches += other.matches;
  }

  /** Adds the errors of a map key: at the map's path, with the key as the value, once for each key. */
  mergeOfKey(other: Findings, path: string, key: string): void {
    for (const finding of other.#list) {
      const value = finding.at === undefined ? key : finding.value;
      // This type of error has no value to show.
      const { detail: text } = finding;
      const detail = finding.type === 'FieldValueTooLong' ? `${text}: key ${goQuote(key)}` : text;
      this.add({ ...finding, at: path, value, detail, text: `${finding.text}\0${key}` });
    }
    this.matches += other.matches;
  }

  /** Forgets everything found since there were `size` findings. */
  forgetSince(size: number): void {
    this.#list.length = size;
  }

  /** As field errors, each text once; paths are under `base`, which is empty or names a field. */
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
