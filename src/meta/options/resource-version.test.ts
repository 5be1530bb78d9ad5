import { expect, test } from 'vitest';
import { parseResourceVersion, ResourceVersionError } from './resource-version.ts';

test.each([
  ['', 0],
  ['0', 0],
  ['00', 0],
  ['42', 42],
  ['18446744073709551615', 2 ** 64],
])('%j is revision %d', (text, revision) => expect(parseResourceVersion(text)).toBe(revision));

test.each([
  ['x', 'invalid syntax'],
  ['-1', 'invalid syntax'],
  ['18446744073709551616', 'value out of range'],
])('%j is refused', (text, why) =>
  expect(() => parseResourceVersion(text)).toThrow(
    new ResourceVersionError(
      `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${why}`,
    ),
  ),
);
