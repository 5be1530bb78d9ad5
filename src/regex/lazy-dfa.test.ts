import { expect, test } from 'vitest';
import { compileRegex } from './index.ts';
import { defaultCacheLimits, LazyDfa } from './lazy-dfa.ts';
import { parsePattern } from './parser.ts';
import { compileProgram } from './program.ts';

const dfaOf = (pattern: string) => new LazyDfa(compileProgram(parsePattern(pattern)));

const million = 1_000_000;

test('catastrophic backtracking patterns need only a few states', () => {
  const dfa = dfaOf('^(a+)+$');
  expect(dfa.test(`${'a'.repeat(million)}b`)).toBe(false);
  expect(dfa.counts).toEqual({ states: 2, flushes: 0, computed: 3 });
});

test('a pattern with two million states does not exceed the cache bound', () => {
  const dfa = dfaOf('(a|b)*a[ab]{20}c');
  let text = '';
  for (let at = 0, state = 1; at < 50_000; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += state >>> 31 === 0 ? 'a' : 'b';
  }
  expect(dfa.test(text)).toBe(false);
  expect(dfa.test(`${text}a${'b'.repeat(20)}c`)).toBe(true);
  expect(dfa.counts.states).toBeLessThan(defaultCacheLimits.cells / 4);
  expect(dfa.counts.computed).toBeLessThan(2.1 * text.length);
});

test('nested repetitions cost time linear in their instructions', () => {
  const pattern = '^((a{1,10}){1,10}){1,10}$';
  const { ops } = compileProgram(parsePattern(pattern));
  expect(ops.length).toBeLessThan(2500);
  expect(compileRegex(pattern).test('a'.repeat(1000))).toBe(true);
  expect(compileRegex(pattern).test('a'.repeat(1001))).toBe(false);
});

test('an alphabet has only the symbols that the pattern distinguishes', () => {
  expect(compileProgram(parsePattern('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')).alphabet.size).toBe(3);
  expect(compileProgram(parsePattern('\\pL+')).alphabet.size).toBe(2);
  expect(compileProgram(parsePattern('.\\b')).alphabet.size).toBe(3);
});

test('a lone surrogate is U+FFFD in texts and patterns, a pair is one character', () => {
  expect(compileRegex('^\\x{FFFD}$').test('\ud800')).toBe(true);
  expect(compileRegex('^\udc00$').test('\ufffd')).toBe(true);
  expect(compileRegex('x\ud83d').test('x\u{1f600}')).toBe(false);
  expect(compileRegex('^..$').test('\udc00\ud800')).toBe(true);
  expect(compileRegex('^.$').test('\u{1f600}')).toBe(true);
  expect(compileRegex('.').findAll('a\u{1f600}\ud83d')).toEqual([
    { start: 0, end: 1 },
    { start: 1, end: 3 },
    { start: 3, end: 4 },
  ]);
});

test('searching for a required literal first does not change results', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['foo[0-9]+bar', 'x foo12bar', true],
    ['foo[0-9]+bar', 'x foo12ba', false],
    ['foo[0-9]+bar', 'foo foo1bar', true],
    ['[0-9]+bar', '1bar', true],
    ['\\bfoo', 'xfoo foo', true],
    ['foo\\b', 'foox', false],
    ['foo$', 'foo foo', true],
    ['a|bc', 'a', true],
    ['(?i)foo', 'FOO', true],
  ];
  expect(cases.map(([pattern, text]) => [pattern, text, compileRegex(pattern).test(text)])).toEqual(cases);
});
