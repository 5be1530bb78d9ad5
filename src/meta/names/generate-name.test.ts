import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateName, newUid } from './generate-name.ts';

const first = () => 0;
const last = (below: number) => below - 1;

describe('generateName', () => {
  test.each([
    ['web-', first, 'web-bbbbb'],
    ['web-', last, 'web-99999'],
    ['', first, 'bbbbb'],
    ['a'.repeat(58), first, `${'a'.repeat(58)}bbbbb`],
    ['a'.repeat(59), first, `${'a'.repeat(58)}bbbbb`],
    ['ä'.repeat(30), first, `${'ä'.repeat(29)}bbbbb`],
  ])('%j', (base, random, name) => expect(generateName(base, random)).toBe(name));

  test('uses every character of its alphabet and no other', () => {
    let next = 0;
    const names = Array.from({ length: 27 }, () => generateName('', (below) => next++ % below));
    expect([...new Set(names.join(''))].sort().join('')).toBe('2456789bcdfghjklmnpqrstvwxz');
  });
});

describe('newUid', () => {
  test('sets version and variant', () => {
    expect(newUid((length) => new Uint8Array(length))).toBe('00000000-0000-4000-8000-000000000000');
    expect(newUid((length) => new Uint8Array(length).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  });

  test('leaves the bytes it was given alone', () => {
    const bytes = randomBytes(16);
    const before = bytes.toString('hex');
    newUid(() => bytes);
    expect(bytes.toString('hex')).toBe(before);
  });
});
