import { goQuote } from './go-text.ts';

/**
 * Parses whole numbers as Go's strconv does, with Go's error messages: clients see them.
 * Source: https://pkg.go.dev/strconv#ParseInt (base 10, 64 bits).
 */

/** The text is not a number in the range: `strconv.ParseInt: parsing "x": invalid syntax`. */
export class NumberSyntaxError extends Error {
  override readonly name = 'NumberSyntaxError';
}

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const uint64Max = 2n ** 64n - 1n;
/** More digits than any 64-bit number has; longer texts are checked but not converted. */
const digitsMax = 20;

/**
 * Parses a signed 64-bit integer: `-12`, `+7`, `007`.
 *
 * @throws {NumberSyntaxError} with Go's message.
 */
export function parseInt64(text: string): bigint {
  return parseDecimal('ParseInt', text, { syntax: /^[+-]?[0-9]+$/, min: int64Min, max: int64Max });
}

/**
 * Parses an unsigned 64-bit integer; a sign is not allowed.
 *
 * @throws {NumberSyntaxError} with Go's message.
 */
export function parseUint64(text: string): bigint {
  return parseDecimal('ParseUint', text, { syntax: /^[0-9]+$/, min: 0n, max: uint64Max });
}

interface Range {
  readonly syntax: RegExp;
  readonly min: bigint;
  readonly max: bigint;
}

function parseDecimal(parser: string, text: string, range: Range): bigint {
  const fail = (why: string) => new NumberSyntaxError(`strconv.${parser}: parsing ${goQuote(text)}: ${why}`);
  if (!range.syntax.test(text)) throw fail('invalid syntax');
  const digits = text.replace(/^[+-]?0*(?=[0-9])/, '');
  if (digits.length > digitsMax) throw fail('value out of range');
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  if (value < range.min || value > range.max) throw fail('value out of range');
  return value;
}
