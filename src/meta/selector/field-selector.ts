import { compareBytes } from '../go-text.ts';
import { SelectorError } from './selector-error.ts';

/** One condition of a field selector; `==` was read as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Conditions on fields that must all be met; none at all selects everything. */
export class FieldSelector {
  /** In the order of their texts. */
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = Object.freeze([...requirements]);
    Object.freeze(this);
  }

  /** True where everything is selected. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** Whether an object is selected; `textOf` gives a field's text, empty where the field is absent. */
  matches(textOf: (field: string) => string): boolean {
    return this.requirements.every(
      ({ field, operator, value }) => (textOf(field) === value) === (operator === '='),
    );
  }

  /** The value that a field must have, or undefined where several are possible. */
  exactValue(field: string): string | undefined {
    return this.requirements.find((one) => one.field === field && one.operator === '=')?.value;
  }

  /** The selector in its normal form: `a=b,c!=d`. Parsing it gives the same selector. */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** A value as it may stand in a field selector: `\`, `,` and `=` get a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

/**
 * Reads a `fieldSelector`: `metadata.name=x,spec.color!=red`.
 *
 * @throws {SelectorError} with the text that upstream sends.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareBytes)) {
    if (term === '') continue;
    const requirement = parseTerm(term);
    if (requirement === undefined) {
      throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    }
    // A lone `=` asks nothing: upstream drops a requirement without field and value.
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
  }
  return new FieldSelector(requirements);
}

/** Splits at the commas that have no backslash before them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
    } else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

/** The first operator from the left splits the term; nothing can be escaped before it. */
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
      // Go prints a character as its number. Commas cannot get here, they split terms.
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
