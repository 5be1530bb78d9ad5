import type { Format } from './format.ts';

/** The tolerance of a parser: upstream accepts leading zeros in some places for old data. */
interface IpRules {
  readonly leadingZeros: boolean;
}

const sloppy: IpRules = { leadingZeros: true };
const strict: IpRules = { leadingZeros: false };
const addressLengthMax = 1_000;

/** Four decimal bytes. */
function isIpv4Address(text: string, rules: IpRules): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => {
      if (!/^[0-9]+$/.test(part) || Number(part) > 255) return false;
      return rules.leadingZeros || part === '0' || !part.startsWith('0');
    })
  );
}

/** The number of 16-bit groups in a run; undefined if one of them is invalid. */
function countGroups(groups: readonly string[], last: boolean, rules: IpRules): number | undefined {
  let count = 0;
  for (const [index, group] of groups.entries()) {
    if (last && index === groups.length - 1 && group.includes('.')) {
      if (!isIpv4Address(group, rules)) return undefined;
      count += 2;
    } else {
      const wellFormed = rules.leadingZeros ? /^0*[0-9a-f]{1,4}$/i : /^[0-9a-f]{1,4}$/i;
      if (!wellFormed.test(group)) return undefined;
      count += 1;
    }
  }
  return count;
}

/** Eight groups, of which one run may be written as `::`, and the last two as an IPv4 address. */
function isIpv6Address(text: string, rules: IpRules): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const [head = '', tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (tail === undefined) return countGroups(head === '' ? [] : head, true, rules) === 8;
  const headCount = countGroups(head === '' ? [] : head, false, rules);
  const tailCount = countGroups(tail, true, rules);
  return headCount !== undefined && tailCount !== undefined && headCount + tailCount < 8;
}

/** 4 or 6 for an address of that version, otherwise undefined. */
function ipVersion(text: string, rules: IpRules): 4 | 6 | undefined {
  if (text.length > addressLengthMax) return undefined;
  const dot = text.indexOf('.');
  const colon = text.indexOf(':');
  if (colon === -1 || (dot !== -1 && dot < colon)) return isIpv4Address(text, rules) ? 4 : undefined;
  return isIpv6Address(text, rules) ? 6 : undefined;
}

/** Any address without leading zeros. */
export function isStrictIp(text: string): boolean {
  return ipVersion(text, strict) !== undefined;
}

/** An IPv6 address without leading zeros beyond four digits. */
export function isStrictIpv6(text: string): boolean {
  return ipVersion(text, strict) === 6;
}

/** An IPv4 address, or an IPv6 address that ends in one: upstream only checks for a dot. */
export const ipv4: Format = {
  name: 'ipv4',
  type: 'string',
  accepts: (text) => text.includes('.') && ipVersion(text, sloppy) !== undefined,
};

/** An IPv6 address without a zone. */
export const ipv6: Format = { name: 'ipv6', type: 'string', accepts: isStrictIpv6 };

/** The number of bits of an address, leading zeros tolerated; undefined if it is invalid. */
export function sloppyAddressBits(text: string): 32 | 128 | undefined {
  if (text.length > addressLengthMax) return undefined;
  if (isIpv4Address(text, sloppy)) return 32;
  return isIpv6Address(text, sloppy) ? 128 : undefined;
}
