const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * The order in which go-yaml prints keys: digits in them compare as numbers (`a2` before `a10`), letters come after
 * everything else.
 */
export function compareKeys(left: string, right: string): number {
  return compareAscii(left, right) ?? compareCharacters([...left], [...right]);
}

const isAsciiDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isAsciiLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** The order of two ASCII keys; undefined at another character. Large maps have mostly ASCII keys. */
function compareAscii(left: string, right: string): number | undefined {
  const length = Math.min(left.length, right.length);
  let index = 0;
  for (; index < length; index += 1) {
    const code = left.charCodeAt(index);
    if (code > 0x7f) return undefined;
    if (code !== right.charCodeAt(index)) break;
  }
  if (index === length)
    return isAscii(left, index) && isAscii(right, index) ? left.length - right.length : undefined;
  const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
  if (!isAscii(left, index) || !isAscii(right, index)) return undefined;
  if (isAsciiLetter(a) !== isAsciiLetter(b)) return isAsciiLetter(a) ? 1 : -1;
  if (isAsciiLetter(a)) return a - b;
  return compareAsciiNumbers(left, right, index) || a - b;
}

function isAscii(text: string, from: number): boolean {
  for (let index = from; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** Like {@link compareNumbers}. */
function compareAsciiNumbers(left: string, right: string, start: number): number {
  const isInside = (left[start] === '0' || right[start] === '0') && endsInAsciiNumber(left, start);
  const [leftEnd, rightEnd] = [asciiDigitsEnd(left, start), asciiDigitsEnd(right, start)];
  const prefix = isInside ? '1' : '';
  const leftValue = Number(prefix + left.slice(start, leftEnd));
  const rightValue = Number(prefix + right.slice(start, rightEnd));
  return leftValue === rightValue ? leftEnd - rightEnd : leftValue - rightValue;
}

function endsInAsciiNumber(text: string, end: number): boolean {
  for (let index = end - 1; index >= 0 && isAsciiDigit(text.charCodeAt(index)); index -= 1) {
    if (text[index] !== '0') return true;
  }
  return false;
}

function asciiDigitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isAsciiDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function compareCharacters(a: string[], b: string[]): number {
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a[index] === b[index]) index += 1;
  if (index === length) return a.length - b.length;
  const aIsLetter = letter.test(a[index] ?? '');
  const bIsLetter = letter.test(b[index] ?? '');
  if (aIsLetter !== bIsLetter) return aIsLetter ? 1 : -1;
  if (!aIsLetter) {
    const byNumber = compareNumbers(a, b, index);
    if (byNumber !== 0) return byNumber;
  }
  return (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
}

function compareNumbers(a: string[], b: string[], start: number): number {
  // Inside a number, a zero is a digit like any other: 10 and 1x differ in length.
  const inside = (a[start] === '0' || b[start] === '0') && endsInNumber(a, start) ? '1' : '';
  const left = digitsFrom(a, start);
  const right = digitsFrom(b, start);
  const leftValue = Number(inside + left);
  const rightValue = Number(inside + right);
  return leftValue === rightValue ? left.length - right.length : leftValue - rightValue;
}

function endsInNumber(chars: string[], end: number): boolean {
  for (let index = end - 1; index >= 0 && digit.test(chars[index] ?? ''); index -= 1) {
    if (chars[index] !== '0') return true;
  }
  return false;
}

function digitsFrom(chars: string[], start: number): string {
  let end = start;
  while (end < chars.length && digit.test(chars[end] ?? '')) end += 1;
  return chars.slice(start, end).join('');
}
