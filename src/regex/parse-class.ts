import { type CharClass, charClass, maxCodePoint, negate } from './char-class.ts';
import type { Cursor } from './cursor.ts';
import { perlClasses, posixClasses } from './named-classes.ts';
import { parseEscape } from './parse-escape.ts';
import { RegexSyntaxError } from './regex-syntax-error.ts';
import type { UnicodeRules } from './unicode.ts';

/** How a pattern's flags affect classes. */
export interface ClassRules {
  readonly unicode: UnicodeRules;
  readonly ignoreCase: boolean;
}

/** The lowest and highest code point with case. */
const minFold = 0x41;
const maxFold = 0x1e943;

/** The class with case folding: with `(?i)`, all characters that fold to a member are members. */
export function folded(chars: CharClass, { unicode, ignoreCase }: ClassRules): CharClass {
  if (!ignoreCase || (chars.at(-1) ?? 0) < minFold || (chars.at(0) ?? 0) > maxFold) return chars;
  const isAll = chars[0] === 0 && chars[1] === maxCodePoint;
  return isAll ? chars : unicode.fold(chars);
}

/** Reads `[...]`. */
export function parseClass(cursor: Cursor, rules: ClassRules): CharClass {
  const start = cursor.at;
  cursor.at += 1;
  const negated = cursor.peek() === '^';
  if (negated) cursor.at += 1;
  const plain: number[] = [];
  const grouped: number[] = [];
  for (let first = true; first || cursor.peek() !== ']'; first = false) {
    const group = parseClassGroup(cursor, rules);
    if (group === undefined) plain.push(...parseRange(cursor, start));
    else for (const end of group) grouped.push(end);
  }
  cursor.at += 1;
  const chars = charClass([...folded(charClass(plain), rules), ...grouped]);
  return negated ? negate(chars) : chars;
}

/** Reads `[:alpha:]`, `\pL` or `\d`, if one is next. */
function parseClassGroup(cursor: Cursor, rules: ClassRules): CharClass | undefined {
  return parseNamedClass(cursor, rules) ?? parseClassEscape(cursor, rules);
}

function parseRange(cursor: Cursor, classStart: number): [number, number] {
  const start = cursor.at;
  const lo = parseClassChar(cursor, classStart);
  // A hyphen before the closing bracket is literal.
  if (cursor.peek() !== '-' || cursor.peek(1) === '' || cursor.peek(1) === ']') return [lo, lo];
  cursor.at += 1;
  const hi = parseClassChar(cursor, classStart);
  if (hi < lo) throw new RegexSyntaxError('invalid character class range', cursor.since(start));
  return [lo, hi];
}

function parseClassChar(cursor: Cursor, classStart: number): number {
  if (cursor.done) throw new RegexSyntaxError('missing closing ]', cursor.pattern.slice(classStart));
  return cursor.peek() === '\\' ? parseEscape(cursor) : cursor.next();
}

function parseNamedClass(cursor: Cursor, rules: ClassRules): CharClass | undefined {
  if (!cursor.lookingAt('[:') || cursor.peek(2) === '') return undefined;
  const end = cursor.pattern.indexOf(':]', cursor.at + 2);
  if (end < 0) return undefined;
  const start = cursor.at;
  cursor.at = end + 2;
  const inner = cursor.pattern.slice(start + 2, end);
  const negated = inner.startsWith('^');
  const chars = posixClasses.get(negated ? inner.slice(1) : inner);
  if (chars === undefined) throw new RegexSyntaxError('invalid character class range', cursor.since(start));
  return signed(folded(chars, rules), negated);
}

/** Reads `\pL`, `\P{Greek}`, `\d`, `\W` and the like, if one is next. */
export function parseClassEscape(cursor: Cursor, rules: ClassRules): CharClass | undefined {
  if (cursor.peek() !== '\\') return undefined;
  const letter = cursor.peek(1);
  if (letter === 'p' || letter === 'P') return parseUnicodeClass(cursor, rules);
  const chars = perlClasses.get(letter.toLowerCase());
  if (chars === undefined) return undefined;
  cursor.at += 2;
  return signed(folded(chars, rules), letter !== letter.toLowerCase());
}

function parseUnicodeClass(cursor: Cursor, rules: ClassRules): CharClass {
  const start = cursor.at;
  const capital = cursor.peek(1) === 'P';
  cursor.at += 2;
  const name = parseUnicodeName(cursor, start);
  const negated = name.startsWith('^');
  const chars = rules.unicode.named(negated ? name.slice(1) : name);
  if (chars === undefined) throw new RegexSyntaxError('invalid character class range', cursor.since(start));
  return signed(folded(chars, rules), capital !== negated);
}

function parseUnicodeName(cursor: Cursor, start: number): string {
  const nameStart = cursor.at;
  if (cursor.peek() !== '{') {
    cursor.next();
    return cursor.since(nameStart);
  }
  const end = cursor.pattern.indexOf('}', nameStart);
  if (end < 0) throw new RegexSyntaxError('invalid character class range', cursor.pattern.slice(start));
  cursor.at = end + 1;
  return cursor.pattern.slice(nameStart + 1, end);
}

const signed = (chars: CharClass, negated: boolean): CharClass => (negated ? negate(chars) : chars);
