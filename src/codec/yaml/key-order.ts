const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * The order in which go-yaml prints keys: numbers inside them count as numbers (`a2` before `a10`), letters come
 * after everything else.
 */
export function compareKeys(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
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
  // Behind a number that has begun already, a zero is a digit like any other: 10 and 1x differ in length.
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
