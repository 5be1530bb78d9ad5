import { expect, test } from 'vitest';
import { portNameTexts } from './port-name.ts';

test.each([
  ['http', []],
  ['a-1', []],
  ['x'.repeat(15), []],
  ['x'.repeat(16), ['must be no more than 15 characters']],
  ['8080', ['must contain at least one letter (a-z)']],
  [
    'HTTP',
    [
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'must contain at least one letter (a-z)',
    ],
  ],
  ['a--b', ['must not contain consecutive hyphens']],
  ['-a', ['must not begin or end with a hyphen']],
  ['a-', ['must not begin or end with a hyphen']],
  [
    '',
    [
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'must contain at least one letter (a-z)',
    ],
  ],
])('%j as the name of a port', (name, texts) => {
  expect(portNameTexts(name)).toEqual(texts);
});
