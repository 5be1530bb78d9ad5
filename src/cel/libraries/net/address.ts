import { CelError, isError } from '../../values/cel-error.ts';

/** An IP address: its family and its bits as an integer. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** The number of bits of an address. */
export function bitLength(family: 4 | 6): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** Go's netip.ParseAddr without zones, including its error messages. */
export function parseAddress(text: string): Address | CelError {
  for (const character of text) {
    if (character === '.') return parseV4(text, text);
    if (character === ':') return parseV6(text);
    if (character === '%') return failed(text, 'missing IPv6 address');
  }
  return failed(text, 'unable to parse IP');
}

function failed(text: string, reason: string, at?: string): CelError {
  const place = at === undefined ? '' : ` (at ${JSON.stringify(at)})`;
  return new CelError(`ParseAddr(${JSON.stringify(text)}): ${reason}${place}`);
}

function parseV4(whole: string, text: string): Address | CelError {
  const fields = text.split('.');
  let bits = 0n;
  for (const [index, field] of fields.entries()) {
    if (field === '')
      return failed(whole, 'IPv4 field must have at least one digit', fields.slice(index).join('.'));
    if (!/^\d+$/.test(field))
      return failed(whole, 'unexpected character', fields.slice(index).join('.').replace(/^\d+/, ''));
    if (field.length > 1 && field.startsWith('0'))
      return failed(whole, 'IPv4 field has octet with leading zero');
    if (Number(field) > 255) return failed(whole, 'IPv4 field has value >255');
    if (index > 3) return failed(whole, 'IPv4 address too long');
    bits = (bits << 8n) | BigInt(field);
  }
  return fields.length < 4 ? failed(whole, 'IPv4 address too short') : { family: 4, bits };
}

/** The groups read so far, and the index of `::`. */
interface Groups {
  readonly values: number[];
  ellipsis: number | undefined;
}

function parseV6(text: string): Address | CelError {
  const groups: Groups = { values: [], ellipsis: undefined };
  let rest = text;
  if (rest.startsWith('::')) {
    groups.ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return { family: 6, bits: 0n };
  }
  while (groups.values.length < 8) {
    const next = readGroup(text, rest, groups);
    if (isError(next)) return next;
    rest = next;
    if (rest === '') break;
  }
  if (rest !== '') return failed(text, 'trailing garbage after address', rest);
  const missing = 8 - groups.values.length;
  if (missing > 0 && groups.ellipsis === undefined) return failed(text, 'address string too short');
  if (missing === 0 && groups.ellipsis !== undefined)
    return failed(text, 'the :: must expand to at least one field of zeros');
  const at = groups.ellipsis ?? 0;
  const all = [
    ...groups.values.slice(0, at),
    ...new Array<number>(missing).fill(0),
    ...groups.values.slice(at),
  ];
  return { family: 6, bits: all.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n) };
}

/** Reads one group and the following colons; returns the rest. */
function readGroup(text: string, rest: string, groups: Groups): string | CelError {
  const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
  if (digits.length > 4) return failed(text, 'each group must have 4 or less digits', rest);
  if (digits === '') return failed(text, 'each colon-separated field must have at least one digit', rest);
  if (rest[digits.length] === '.') return readEmbeddedV4(text, rest, groups);
  groups.values.push(Number.parseInt(digits, 16));
  const after = rest.slice(digits.length);
  if (after === '') return '';
  if (!after.startsWith(':')) return failed(text, 'unexpected character, want colon', after);
  if (after.length === 1) return failed(text, 'colon must be followed by more characters', after);
  if (after[1] !== ':') return after.slice(1);
  if (groups.ellipsis !== undefined) return failed(text, 'multiple :: in address', after.slice(1));
  groups.ellipsis = groups.values.length;
  return after.slice(2);
}

function readEmbeddedV4(text: string, rest: string, groups: Groups): string | CelError {
  if (groups.ellipsis === undefined && groups.values.length !== 6) {
    return failed(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (groups.values.length > 6)
    return failed(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const embedded = parseV4(text, rest);
  if (isError(embedded)) return embedded;
  groups.values.push(Number(embedded.bits >> 16n), Number(embedded.bits & 0xffffn));
  return '';
}

/** The RFC 5952 text of an address. */
export function formatAddress({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((bits >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const { start, length } = longestZeros(groups);
  const hex = (values: readonly number[]): string => values.map((value) => value.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Whether two addresses of one family have a common prefix of this many bits. */
export function samePrefix(left: Address, right: Address, length: number): boolean {
  const shift = BigInt(bitLength(left.family) - length);
  return left.family === right.family && left.bits >> shift === right.bits >> shift;
}

/** Whether it is `::ffff:1.2.3.4`. */
export function isMappedV4({ family, bits }: Address): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}
