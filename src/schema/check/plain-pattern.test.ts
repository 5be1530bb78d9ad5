import { expect, test } from 'vitest';
import { compileRegex } from '../../regex/index.ts';
import { RandomSchemas } from '../random-schemas.test-data.ts';
import { isPlainPattern } from './plain-pattern.ts';

test.each([
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^(?:[A-Za-z_]+|\\d{1,})$',
  '^https?://.*$',
  '[^/?#]{1,63}',
])('%s is plain', (source) => {
  expect(isPlainPattern(source)).toBe(true);
});

test.each([
  '^(?i)a$',
  '(',
  'a)',
  'a**',
  '*a',
  '[z-a]',
  '[]',
  'a{3,2}',
  'a{1001}',
  '(a{999}){999}',
  '\\',
  '\\pL',
  '(?=a)',
])('%s is not', (source) => {
  expect(isPlainPattern(source)).toBe(false);
});

test('plain patterns are valid', () => {
  const random = new RandomSchemas(7);
  const parts =
    'a z - [ ] ^ $ ( ) (?: | * + ? { } {1, {2,3} {0,5} {12,3} {1,999} {99} \\ \\d \\- . a-z z-a _ / , \\b ?i [a-z] [^/] [a-] (a)';
  const choices = parts.split(' ');
  let plain = 0;
  for (let count = 0; count < 100_000; count += 1) {
    const length = 1 + random.below(9);
    const source = Array.from({ length }, () => choices[random.below(choices.length)] ?? '').join('');
    if (!isPlainPattern(source)) continue;
    plain += 1;
    expect(() => compileRegex(source), source).not.toThrow();
  }
  expect(plain).toBeGreaterThan(10_000);
});

test('ambiguous patterns are matched in linear time', () => {
  for (const part of ['a-z', '[a-z', '(', 'a-', '\\-', '[a-z]{1,', '(?:a*'])
    expect(isPlainPattern(`${part.repeat(120).slice(0, 480)}\n`)).toBe(false);
});
