import type { FieldRequirement } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

/**
 * Set-based conditions in field selectors, an extension: `spec.color in (blue,green)`, `spec.color notin (red)`,
 * `spec.color exists`, `!spec.color`. Selectors that Kubernetes accepts keep their meaning, because names of
 * selectable fields have neither white space nor parentheses.
 */

const setStart = /\s*([^\s=!,()\\]+)\s+(in|notin)\s*\(/y;
const existence = /^\s*(?:!([^\s=!,()\\]+)|([^\s=!,()\\]+)\s+exists)\s*$/;

/** The offset after the set that starts here; -1 if it is not terminated; undefined if none starts here. */
export function setTermEnd(text: string, start: number): number | undefined {
  setStart.lastIndex = start;
  if (!setStart.test(text)) return undefined;
  for (let at = setStart.lastIndex; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ')') {
      const end = at + 1 + (/^\s*/.exec(text.slice(at + 1))?.[0].length ?? 0);
      return end === text.length || text[end] === ',' ? end : -1;
    }
  }
  return -1;
}

/**
 * Parses a term; undefined if it is not a set-based condition.
 *
 * @throws {SelectorError} for an invalid escape
 */
export function parseSetTerm(term: string): FieldRequirement | undefined {
  const found = existence.exec(term);
  if (found !== null) {
    const [, absent, present] = found;
    if (absent !== undefined) return Object.freeze({ field: absent, operator: '!' });
    return Object.freeze({ field: present ?? '', operator: 'exists' });
  }
  if (setTermEnd(term, 0) !== term.length) return undefined;
  setStart.lastIndex = 0;
  const [start = '', field = '', operator] = setStart.exec(term) ?? [];
  const values = parseValues(term.slice(start.length, term.lastIndexOf(')')));
  return Object.freeze({ field, operator: operator === 'in' ? 'in' : 'notin', values });
}

/** `blue, green`; a missing value is the empty value, as in label selectors. */
function parseValues(text: string): readonly string[] {
  const values: string[] = [];
  let value = '';
  // Spaces around a value are not part of it unless they are escaped.
  let kept = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === undefined || char === ',') {
      values.push(value.slice(0, Math.max(kept, value.trimEnd().length)));
      value = '';
      kept = 0;
    } else if (char === '\\') {
      at += 1;
      value += unescaped(text[at]);
      kept = value.length;
    } else if (value !== '' || char.trim() !== '') {
      value += char;
    }
  }
  return Object.freeze([...new Set(values)]);
}

const escapable = '\\,=() ';

function unescaped(char: string | undefined): string {
  if (char !== undefined && escapable.includes(char)) return char;
  throw new SelectorError(`invalid field selector: invalid escape sequence: \\${char ?? ''}`);
}

/** A value escaped for a set. */
export function escapeSetValue(value: string): string {
  return value.replace(/[\\,=()]|^\s|\s$/g, (char) => `\\${char}`);
}
