import { compareBytes } from '../go/go-text.ts';
import { SelectorError } from './selector-error.ts';
import { escapeSetValue, parseSetTerm, setTermEnd } from './set-requirement.ts';

/** One condition of a field selector; `==` is parsed as `=`. All operators but `=` and `!=` are an extension. */
export type FieldRequirement =
  | { readonly field: string; readonly operator: '=' | '!='; readonly value: string }
  | { readonly field: string; readonly operator: 'in' | 'notin'; readonly values: readonly string[] }
  | { readonly field: string; readonly operator: 'exists' | '!' };

/** The meaning of a requirement: the field has one of these values, or none of them. */
export interface FieldCondition {
  readonly field: string;
  readonly values: readonly string[];
  readonly negated: boolean;
}

/** An absent field is empty. */
export function fieldCondition(requirement: FieldRequirement): FieldCondition {
  const { field, operator } = requirement;
  switch (operator) {
    case '=':
    case '!=':
      return { field, values: [requirement.value], negated: operator === '!=' };
    case 'in':
    case 'notin':
      return { field, values: requirement.values, negated: operator === 'notin' };
    case 'exists':
    case '!':
      return { field, values: [''], negated: operator === 'exists' };
  }
}

/** A field's value, empty if absent; or the values of a field with several. */
export type FieldText = string | readonly string[];

/** Whether a field meets a condition; a field with several values does if any of them does. */
export function meetsFieldCondition({ values, negated }: FieldCondition, text: FieldText): boolean {
  const any = typeof text === 'string' ? values.includes(text) : text.some((one) => values.includes(one));
  return any !== negated;
}

/** Conditions on fields, combined with and; without conditions, everything is selected. */
export class FieldSelector {
  /** Ordered by text. */
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = Object.freeze([...requirements]);
    Object.freeze(this);
  }

  /** True if everything is selected. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** Whether the selector selects an object. */
  matches(textOf: (field: string) => FieldText): boolean {
    return this.requirements.every((requirement) =>
      meetsFieldCondition(fieldCondition(requirement), textOf(requirement.field)),
    );
  }

  /** The value that a field must have; undefined if several are possible. */
  exactValue(field: string): string | undefined {
    for (const requirement of this.requirements) {
      if (requirement.field === field && requirement.operator === '=') return requirement.value;
    }
    return undefined;
  }

  /** The selector in its normal form: `a=b,c!=d`. Parsing it gives the same selector. */
  toString(): string {
    return this.requirements.map(fieldRequirementText).join(',');
  }
}

function fieldRequirementText(requirement: FieldRequirement): string {
  const { field, operator } = requirement;
  switch (operator) {
    case 'in':
    case 'notin':
      return `${field} ${operator} (${requirement.values.map(escapeSetValue).join(',')})`;
    case 'exists':
      return `${field} exists`;
    case '!':
      return `!${field}`;
    default:
      return `${field}${operator}${escapeFieldValue(requirement.value)}`;
  }
}

/** A value escaped for a field selector: `\`, `,` and `=` get a backslash. */
function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

/** The accepted syntax. */
interface FieldSelectorSyntax {
  /** Also accepts `in`, `notin`, `exists` and `!`. */
  readonly setBased?: boolean;
}

/**
 * Parses a `fieldSelector`: `metadata.name=x,spec.color!=red`.
 *
 * @throws {SelectorError} with upstream's message.
 */
export function parseFieldSelector(
  text: string,
  { setBased = false }: FieldSelectorSyntax = {},
): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text, setBased).sort(compareBytes)) {
    if (term === '') continue;
    const requirement = (setBased ? parseSetTerm(term) : undefined) ?? parseTerm(term);
    if (requirement === undefined) {
      throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    }
    if (!asksNothing(requirement)) requirements.push(requirement);
  }
  return new FieldSelector(requirements);
}

/** A single `=`: upstream drops a requirement without field and value. */
function asksNothing(requirement: FieldRequirement): boolean {
  return requirement.field === '' && 'value' in requirement && requirement.value === '';
}

/** Splits at commas without a preceding backslash and outside of sets. */
function splitTerms(text: string, setBased: boolean): string[] {
  const terms: string[] = [];
  let start = 0;
  let sets = setBased;
  for (let at = 0; at < text.length; at += 1) {
    const end = sets && at === start ? setTermEnd(text, at) : undefined;
    // After an unterminated set, no further sets are searched, so the scan stays linear.
    if (end === -1) sets = false;
    else at = end ?? at;
    if (text[at] === '\\') {
      at += 1;
    } else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

/** The first operator from the left splits the term; there are no escapes before it. */
function parseTerm(term: string): FieldRequirement | undefined {
  const found = /!=|==|=/.exec(term);
  if (found === null) return undefined;
  return Object.freeze({
    field: term.slice(0, found.index),
    operator: found[0] === '!=' ? '!=' : '=',
    value: unescapeFieldValue(term.slice(found.index + found[0].length)),
  });
}

function unescapeFieldValue(text: string): string {
  let value = '';
  let escaped = false;
  for (const char of text) {
    if (escaped) {
      if (!'\\,='.includes(char)) throw invalidEscape(`\\${char}`);
      value += char;
      escaped = false;
    } else if (char === '\\') {
      escaped = true;
    } else if (char === '=') {
      // Go prints a character as its number. Commas cannot occur here, they split terms.
      throw new SelectorError('invalid field selector: unescaped character in value: 61');
    } else {
      value += char;
    }
  }
  if (escaped) throw invalidEscape('\\');
  return value;
}

function invalidEscape(sequence: string): SelectorError {
  return new SelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
}
