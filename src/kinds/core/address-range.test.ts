import { expect, test } from 'vitest';
import { AddressRange, AddressRangeError } from './address-range.ts';

test('a range is known by its first address, whatever address of it is written', () => {
  const range = new AddressRange('10.96.0.77/24');
  expect([range.text, range.first]).toEqual(['10.96.0.0/24', '10.96.0.1']);
});

test('its first and last address name the network, and belong to no service', () => {
  const range = new AddressRange('10.96.0.0/30');
  expect([0, 1, 2, 3, 4].map((last) => range.has(`10.96.0.${last}`))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(['10.95.255.255', '::1', 'None', ''].map((address) => range.has(address))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('every address comes once, from any start', () => {
  const range = new AddressRange('10.96.0.0/29');
  const all = ['10.96.0.5', '10.96.0.6', '10.96.0.1', '10.96.0.2', '10.96.0.3', '10.96.0.4'];
  expect([...range.from(4)]).toEqual(all);
  expect([...range.from(4 + 6 * 1_000)]).toEqual(all);
});

test.each(['', '10.96.0.0', '10.96.0.0/0', '10.96.0.0/31', '10.96.0/12', 'fd00::/108', '10.96.0.0/-1'])(
  '%j is no range of IPv4 addresses',
  (text) => {
    expect(() => new AddressRange(text)).toThrow(AddressRangeError);
  },
);
