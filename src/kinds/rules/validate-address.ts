import { BlockList, isIP, isIPv4 } from 'node:net';
import { type FieldError, invalid } from '../../meta/index.ts';

/** IP addresses and CIDRs in fields, in upstream's words. Source: apimachinery, pkg/util/validation/ip.go, strict. */

const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const noRange = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** `010.1.2.3` -> `10.1.2.3`: Go's older parser accepts leading zeros. */
function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|\.)0+(?=\d)/g, '$1');
}

/** A zone, as in `fe80::1%eth0`, is no part of an address. */
function isAddress(text: string): boolean {
  return !text.includes('%') && isIP(withoutLeadingZeros(text)) !== 0;
}

/** An IPv6 address that contains an IPv4 one: `::ffff:1.2.3.4`. */
function isMapped(text: string): boolean {
  return /^[0:]*:ffff:(?:\d+\.\d+\.\d+\.\d+|[0-9a-f]{1,4}:[0-9a-f]{1,4})$/i.test(text);
}

/** The error of a text that is no IP address. */
export function addressErrors(path: string, text: string): FieldError[] {
  if (!isAddress(text)) return [invalid(path, text, noAddress)];
  if (isIP(text) === 0) return [invalid(path, text, 'must not have leading 0s')];
  return isMapped(text) ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

const specialRanges: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^(?:0\.0\.0\.0|[0:]+)$/, (text) => `may not be unspecified (${text})`],
  [
    /^(?:127\.[\d.]+|(?:0{0,4}:){1,7}0{0,3}1)$/,
    () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    /^(?:169\.254\.[\d.]+|fe[89ab][0-9a-f]:.*)$/i,
    () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    /^(?:224\.0\.0\.[\d]+|ff02:.*)$/i,
    () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
];

/** The errors of an address that is no address of an endpoint. Source: kubernetes, ValidateEndpointIP. */
export function endpointAddressErrors(path: string, text: string): FieldError[] {
  if (!isAddress(text)) return [invalid(path, text, 'must be a valid IP address')];
  return specialRanges
    .filter(([range]) => range.test(withoutLeadingZeros(text)))
    .map(([, detail]) => invalid(path, text, detail(text)));
}

/** A parsed CIDR; the address may have bits beyond the prefix. */
interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Undefined for a text that is no CIDR. */
function parseCidr(text: string): Cidr | undefined {
  const [, found = '', digits = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  if (!isAddress(found)) return undefined;
  const address = withoutLeadingZeros(found);
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const prefix = Number(digits);
  return prefix <= (family === 'ipv4' ? 32 : 128) ? { address, prefix, family } : undefined;
}

/** The error of a text that is no CIDR. */
export function cidrErrors(path: string, text: string): FieldError[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [invalid(path, text, noRange)];
  if (`${cidr.address}/${cidr.prefix}` !== text)
    return [invalid(path, text, 'must not have leading 0s in IP or prefix length')];
  if (isMapped(cidr.address)) return [invalid(path, text, 'must not have an IPv4-mapped IPv6 address')];
  return isNetwork(cidr) ? [] : [invalid(path, text, 'must not have bits set beyond the prefix length')];
}

/** True for the first address of its range. */
function isNetwork({ address, prefix, family }: Cidr): boolean {
  const words = family === 'ipv4' ? address.split('.').map(Number) : groupsOf(address);
  const bits = family === 'ipv4' ? 8 : 16;
  return words.every((word, index) => {
    const kept = Math.min(bits, Math.max(0, prefix - index * bits));
    return word % 2 ** (bits - kept) === 0;
  });
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((one) => one.toString(16)).join(':'),
  );
  const [left = '', right] = dotted.split('::');
  const parse = (text: string) =>
    text.split(':').flatMap((one) => (one === '' ? [] : Number.parseInt(one, 16)));
  const [first, last] = [parse(left), right === undefined ? [] : parse(right)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** The error of a CIDR that is not a part of another; none if one of them is no CIDR. */
export function subsetErrors(path: string, text: string, whole: string): FieldError[] {
  const [part, range] = [parseCidr(text), parseCidr(whole)];
  if (part === undefined || range === undefined) return [];
  const list = new BlockList();
  list.addSubnet(range.address, range.prefix, range.family);
  const isInside = part.family === range.family && list.check(part.address, part.family);
  return isInside && range.prefix < part.prefix
    ? []
    : [invalid(path, text, 'must be a strict subset of `cidr`')];
}
