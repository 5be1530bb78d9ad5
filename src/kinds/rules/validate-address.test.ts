import { expect, test } from 'vitest';
import { addressErrors, cidrErrors, endpointAddressErrors, subsetErrors } from './validate-address.ts';

const details = (errors: readonly { readonly detail: string }[]) => errors.map(({ detail }) => detail);
const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const noRange = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

test.each([
  ['10.9.8.7', []],
  ['2001:DB8::ffff', []],
  ['', [noAddress]],
  ['1.2.3', [noAddress]],
  ['1.2.3.256', [noAddress]],
  ['fe80::1%eth0', [noAddress]],
  ['010.9.8.7', ['must not have leading 0s']],
  ['::ffff:1.2.3.4', ['must not be an IPv4-mapped IPv6 address']],
])('the address %j: %j', (text, expected) => expect(details(addressErrors('ip', text))).toEqual(expected));

test.each([
  ['10.9.8.7', []],
  ['nope', ['must be a valid IP address']],
  ['0.0.0.0', ['may not be unspecified (0.0.0.0)']],
  ['::', ['may not be unspecified (::)']],
  ['127.0.0.1', ['may not be in the loopback range (127.0.0.0/8, ::1/128)']],
  ['::1', ['may not be in the loopback range (127.0.0.0/8, ::1/128)']],
  ['169.254.1.1', ['may not be in the link-local range (169.254.0.0/16, fe80::/10)']],
  ['fe80::1', ['may not be in the link-local range (169.254.0.0/16, fe80::/10)']],
  ['224.0.0.1', ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)']],
])('the address of an endpoint %j: %j', (text, expected) =>
  expect(details(endpointAddressErrors('ip', text))).toEqual(expected),
);

test.each([
  ['10.0.0.0/8', []],
  ['2001:db8::/64', []],
  ['::/0', []],
  ['10.0.0.0', [noRange]],
  ['10.0.0.0/33', [noRange]],
  ['10.0.0.0/-1', [noRange]],
  ['2001:db8::/129', [noRange]],
  ['10.0.0.0/08', ['must not have leading 0s in IP or prefix length']],
  ['010.0.0.0/8', ['must not have leading 0s in IP or prefix length']],
  ['10.1.0.0/8', ['must not have bits set beyond the prefix length']],
  ['2001:db8::1/64', ['must not have bits set beyond the prefix length']],
  ['::ffff:1.2.3.0/120', ['must not have an IPv4-mapped IPv6 address']],
])('the CIDR %j: %j', (text, expected) => expect(details(cidrErrors('cidr', text))).toEqual(expected));

test.each([
  ['10.1.0.0/16', true],
  ['10.0.0.0/8', false],
  ['11.0.0.0/16', false],
  ['2001:db8::/64', false],
  ['nope', true],
])('%s is a strict subset of 10.0.0.0/8, or no CIDR at all: %s', (text, expected) =>
  expect(subsetErrors('except', text, '10.0.0.0/8').length === 0).toBe(expected),
);
