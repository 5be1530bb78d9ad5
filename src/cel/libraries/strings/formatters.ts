import { CelBytes } from '../../values/bytes.ts';
import { CelError, isError } from '../../values/cel-error.ts';
import { fixedDecimals } from '../../values/decimal-text.ts';
import { CelDouble } from '../../values/double.ts';
import { CelDuration, formatDuration } from '../../values/duration.ts';
import { formatGoFloat } from '../../values/go-numbers.ts';
import { isInt } from '../../values/int.ts';
import { CelList } from '../../values/list.ts';
import { CelMap } from '../../values/map.ts';
import { CelTimestamp, formatTimestamp } from '../../values/timestamp.ts';
import { typeNameOf } from '../../values/type-name.ts';
import { CelType } from '../../values/type-value.ts';
import { CelUint } from '../../values/uint.ts';
import type { Value } from '../../values/value.ts';
import { goQuote, goQuoteBytes } from './go-quote.ts';

/** The letters behind a percent sign. */
export type Clause = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

type Formatter = (value: Value, precision: number) => string | CelError;

/** The expected types of each clause, for error messages. */
export const clauseErrors: Record<Clause, string> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

function refused(clause: Clause, value: Value): CelError {
  return new CelError(`${clauseErrors[clause]}, was given ${typeNameOf(value)}`);
}

function wholeNumber(value: Value): bigint | undefined {
  return isInt(value) ? BigInt(value) : value instanceof CelUint ? value.value : undefined;
}

/** A double, or a string that stands for one. */
function doubleOf(value: Value): number | undefined {
  if (value instanceof CelDouble) return value.value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
}

/** With thousands separators: cel-go's library uses American formatting. */
function fixedPoint(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const [whole = '', fraction] = fixedDecimals(value, precision).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1.052033×10⁰³`; always six decimals, whatever the clause says. */
function scientific(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return (value > 0 ? '∞' : '-∞').padStart(6);
  const [mantissa = '', exponent = '0'] = value.toExponential(6).split('e');
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  const raised = size.replace(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);
  return `${mantissa}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

function hex(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  if (value instanceof CelBytes) return Buffer.from(value.bytes).toString('hex');
  return wholeNumber(value)?.toString(16);
}

function binary(value: Value): string | undefined {
  return typeof value === 'boolean' ? String(Number(value)) : wholeNumber(value)?.toString(2);
}

/** How each clause writes a value. */
export const formatters: Readonly<Record<Clause, Formatter>> = {
  s: (value) => formatValue(value) ?? refused('s', value),
  d: (value) => wholeNumber(value)?.toString() ?? refused('d', value),
  f: (value, precision) => {
    const double = doubleOf(value);
    return double === undefined ? refused('f', value) : fixedPoint(double, precision);
  },
  e: (value) => {
    const double = doubleOf(value);
    return double === undefined ? refused('e', value) : scientific(double);
  },
  b: (value) => binary(value) ?? refused('b', value),
  x: (value) => hex(value) ?? refused('x', value),
  X: (value) => hex(value)?.toUpperCase() ?? refused('X', value),
  o: (value) => wholeNumber(value)?.toString(8) ?? refused('o', value),
};

/** A value for `%s`; undefined if it is not supported. */
function formatValue(value: Value): string | CelError | undefined {
  if (value instanceof CelList) return formatList(value);
  if (value instanceof CelMap) return formatMap(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof CelDouble) return formatGoFloat(value.value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelType) return value.name;
  return value instanceof CelBytes ? Buffer.from(value.bytes).toString('utf8') : undefined;
}

/** A value in a list or map. */
function formatMember(value: Value): string | CelError {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof CelBytes) return `b${goQuoteBytes(value.bytes)}`;
  if (value instanceof CelDouble) return formatMemberDouble(value.value);
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  return formatValue(value) ?? new CelError(`no formatting function for ${typeNameOf(value)}`);
}

function formatMemberDouble(value: number): string {
  if (Number.isNaN(value)) return '"NaN"';
  return Number.isFinite(value) ? fixedDecimals(value, 6) : value > 0 ? '"+Inf"' : '"-Inf"';
}

/** cel-go's error for an unreadable value. */
const notFormatted = new CelError('no formatting function for error');

function formatList(values: CelList): string | CelError {
  const texts: string[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    const text = isError(value) ? notFormatted : formatMember(value);
    if (isError(text)) return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

/** Entries sorted by the text of their keys. */
function formatMap(map: CelMap): string | CelError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    if (!isInt(key) && !['string', 'boolean'].includes(typeof key) && !(key instanceof CelUint)) {
      return new CelError(`no formatting function for map key of type ${typeNameOf(key)}`);
    }
    const value = map.find(key) ?? null;
    const text = isError(value) ? notFormatted : formatMember(value);
    const keyText = formatMember(key);
    if (isError(text)) return text;
    if (isError(keyText)) return keyText;
    entries.push([keyText, text]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, text]) => `${key}:${text}`).join(', ')}}`;
}
