import { intOf, maxInt, minInt } from './int.ts';
import { CelUint, maxUint } from './uint.ts';
import type { CelInt } from './value.ts';

/** Go's strconv.ParseInt in base 10; undefined for invalid input. */
export function parseGoInt(text: string): CelInt | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
  return value < minInt || value > maxInt ? undefined : intOf(value);
}

/** Go's strconv.ParseUint in base 10; undefined for invalid input. */
export function parseGoUint(text: string): CelUint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > maxUint ? undefined : new CelUint(value);
}

/** Go's strconv.ParseBool. */
export function parseGoBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/;

/** Go's strconv.ParseFloat with 64 bits; undefined for invalid or too large input. */
export function parseGoFloat(text: string): number | undefined {
  if (decimal.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const [, sign, whole = '', fraction = '', exponent] = hexadecimal.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const mantissa = Number.parseInt(`${whole}${fraction}`, 16);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return Number.isFinite(value) ? (sign === '-' ? -value : value) : undefined;
}

/** Go's `%g`: the shortest text that parses to the same double, with an exponent below 1e-4 and from 1e6 on. */
export function formatGoFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
