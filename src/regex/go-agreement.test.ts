import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileRegex } from './index.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { parsePattern } from './parser.ts';
import { compileProgram } from './program.ts';

/** Recorded from Go by tools/record/regex. */
function table<Row>(name: string): Row[] {
  // The recorder beside it defines the shape; a wrong one fails the tests.
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Row[];
}

const cases = table<[pattern: string, text: string, spans: number[]]>('go-cases.json');
const errors = table<[pattern: string, message: string]>('go-errors.json');

function pairs(numbers: readonly number[]): { start: number; end: number }[] {
  const result = [];
  for (let index = 0; index < numbers.length; index += 2) {
    result.push({ start: numbers[index] ?? -1, end: numbers[index + 1] ?? -1 });
  }
  return result;
}

function refusal(pattern: string): string {
  try {
    compileRegex(pattern);
    return '';
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

describe('matches Go', () => {
  test(`test() agrees in ${cases.length} cases`, () => {
    const answers = cases.map(([pattern, text]) => [pattern, text, compileRegex(pattern).test(text)]);
    expect(answers).toEqual(cases.map(([pattern, text, spans]) => [pattern, text, spans.length > 0]));
  });

  test('findAll() returns the same positions', () => {
    const answers = cases.map(([pattern, text]) => [pattern, text, compileRegex(pattern).findAll(text)]);
    expect(answers).toEqual(cases.map(([pattern, text, spans]) => [pattern, text, pairs(spans)]));
  });

  test('find() returns the first of them', () => {
    const answers = cases.map(([pattern, text]) => [pattern, text, compileRegex(pattern).find(text)]);
    expect(answers).toEqual(cases.map(([pattern, text, spans]) => [pattern, text, pairs(spans)[0]]));
  });

  test('a full cache does not change results', () => {
    const tiny = [
      { cells: 1, instructions: 1, charactersPerState: 0 },
      { cells: 40, instructions: 20, charactersPerState: 0 },
      { cells: 40, instructions: 20, charactersPerState: 10 },
    ];
    for (const limits of tiny) {
      const answers = cases.map(([pattern, text]) => {
        const dfa = new LazyDfa(compileProgram(parsePattern(pattern)), limits);
        return [pattern, text, dfa.test(text), dfa.test(text)];
      });
      const expected = cases.map(([pattern, text, spans]) => [
        pattern,
        text,
        spans.length > 0,
        spans.length > 0,
      ]);
      expect(answers).toEqual(expected);
    }
  });
});

describe('refuses what Go refuses', () => {
  test(`with the same message for ${errors.length} patterns, accepted ones among them`, () => {
    expect(errors.map(([pattern]) => [pattern, refusal(pattern)])).toEqual(errors);
  });

  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
  test.each([
    ['(', ')', 1000],
    ['(a|', ')', 1000],
    ['(', 'a)*', 800],
  ])('too deep: %s...%s %d times', (open, close, depth) => {
    const pattern = nested(depth, open, close);
    expect(refusal(pattern)).toBe(`error parsing regexp: expression nests too deeply: \`${pattern}\``);
  });

  test('just deep enough', () => {
    expect(refusal(nested(999, '(', ')'))).toBe('');
    expect(refusal(nested(100_000, '(?:', ')'))).toBe('');
  });

  test('too large', () => {
    const pattern = `(${'a'.repeat(3400)}){1000}`;
    expect(refusal(pattern)).toBe(`error parsing regexp: expression too large: \`${pattern}\``);
    expect(refusal(`(${'a'.repeat(3300)}){1000}`)).toBe('');
  });

  test('flat nesting takes linear time', () => {
    expect(refusal('(?:'.repeat(100_000) + 'a'.repeat(3) + 'b)'.repeat(100_000))).toBe('');
    expect(refusal('(?:a'.repeat(100_000) + ')'.repeat(100_000))).toBe('');
    expect(refusal('(?:ab|'.repeat(100_000) + ')'.repeat(100_000))).toBe('');
    expect(compileRegex(`^${'(?:a'.repeat(20_000)}${')'.repeat(20_000)}$`).test('a'.repeat(20_000))).toBe(
      true,
    );
  });

  test('refuses a million open parentheses without a stack overflow', () => {
    expect(refusal('('.repeat(1_000_000))).toMatch(/^error parsing regexp: missing closing \): `\(/);
  });
});
