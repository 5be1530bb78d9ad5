import type { Format } from './format.ts';

const goPattern = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const nanosecondsOf = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const unitNames = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const int64Max = 2n ** 63n - 1n;

/** Go's `time.ParseDuration`: `-1.5h`, `1h2m`; the sum must fit into 63 bits of nanoseconds. */
function isGoDuration(text: string): boolean {
  if (!goPattern.test(text)) return false;
  const limit = text.startsWith('-') ? int64Max + 1n : int64Max;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d*)(?:\.(\d*))?(\D+)/g)) {
    const nanoseconds = nanosecondsOf.get(unit) ?? 0n;
    // An integer part of 20 digits never fits; fraction digits beyond 18 are irrelevant.
    if (whole.replace(/^0+/, '').length > 19) return false;
    const digits = fraction.slice(0, 18);
    total += BigInt(whole || '0') * nanoseconds;
    total += (BigInt(digits || '0') * nanoseconds) / 10n ** BigInt(digits.length);
    if (total > limit) return false;
  }
  return true;
}

function isUnit(word: string): boolean {
  const unit = word.toLowerCase();
  return unitNames.has(unit) || unitPrefixes.some((prefix) => unit.startsWith(prefix));
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isSpace = (code: number) => code === 32 || code === 9 || code === 10 || code === 12 || code === 13;
const isLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 0xb5;

function skip(text: string, from: number, accepted: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && accepted(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * Scala durations as upstream matches them: a number with a unit anywhere in the text, the rest is ignored. Scanned by
 * hand, because a regular expression would be quadratic for long runs of digits.
 */
function isScalaDuration(text: string): boolean {
  let found = false;
  for (let at = 0; at < text.length; ) {
    const start = skip(text, at, (code) => !isDigit(code));
    const afterDigits = skip(text, start, isDigit);
    const wordStart = skip(text, afterDigits, isSpace);
    const wordEnd = skip(text, wordStart, isLetter);
    if (start < afterDigits && wordStart < wordEnd) {
      const digits = text.slice(start, afterDigits).replace(/^0+/, '');
      if (digits.length > 19 || BigInt(digits || '0') > int64Max) return false;
      found ||= isUnit(text.slice(wordStart, wordEnd));
    }
    at = Math.max(wordEnd, at + 1);
  }
  return found;
}

export const duration: Format = {
  name: 'duration',
  type: 'string',
  accepts: (text) => isGoDuration(text) || isScalaDuration(text),
};
