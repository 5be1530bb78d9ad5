import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { compileRegex } from './index.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { parsePattern } from './parser.ts';
import { compileProgram } from './program.ts';

/** A pattern and its reference semantics: where a match that starts at `from` may end. */
interface Model {
  readonly pattern: string;
  readonly ends: (text: string, from: number) => Set<number>;
}

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

const isWord = (char: string | undefined) => char !== undefined && /\w/.test(char);

const reads = (pattern: string, has: (char: string) => boolean): Model => ({
  pattern,
  ends: (text, from) => new Set(from < text.length && has(text.charAt(from)) ? [from + 1] : []),
});

const place = (pattern: string, is: (text: string, at: number) => boolean): Model => ({
  pattern,
  ends: (text, from) => new Set(is(text, from) ? [from] : []),
});

const leaves: readonly Model[] = [
  reads('a', (char) => char === 'a'),
  reads('b', (char) => char === 'b'),
  reads('[^a]', (char) => char !== 'a'),
  reads('.', (char) => char !== '\n'),
  reads('(?i:A)', (char) => char === 'a'),
  place('^', (_, at) => at === 0),
  place('$', (text, at) => at === text.length),
  place('(?m:^)', (text, at) => at === 0 || text[at - 1] === '\n'),
  place('(?m:$)', (text, at) => at === text.length || text[at] === '\n'),
  place('\\b', (text, at) => isWord(text[at - 1]) !== isWord(text[at])),
  place('\\B', (text, at) => isWord(text[at - 1]) === isWord(text[at])),
  place('', () => true),
];

const after = (text: string, starts: Iterable<number>, next: Model): Set<number> =>
  new Set([...starts].flatMap((start) => [...next.ends(text, start)]));

function repeated({ ends, pattern }: Model, suffix: string, min: number, max: number): Model {
  const sub = { ends, pattern };
  return {
    pattern: `(${pattern})${suffix}`,
    ends: (text, from) => {
      let reached = new Set([from]);
      for (let count = 0; count < min; count += 1) reached = after(text, reached, sub);
      const all = new Set(reached);
      // As many repetitions as there are characters reach every end position.
      for (let count = min; count < Math.min(max, min + text.length + 1); count += 1) {
        reached = after(text, reached, sub);
        for (const end of reached) all.add(end);
      }
      return all;
    },
  };
}

function randomModel(random: Random, depth: number): Model {
  const leaf = leaves[random(random(3) === 0 ? leaves.length : 5)];
  if (leaf !== undefined && (depth === 0 || random(4) === 0)) return leaf;
  const left = randomModel(random, depth - 1);
  if (random(2) === 0) {
    const [suffix, min, max] = suffixes[random(suffixes.length)] ?? ['', 1, 1];
    return repeated(left, suffix, min, max);
  }
  const right = randomModel(random, depth - 1);
  if (random(2) === 0) {
    const ends = (text: string, from: number) =>
      new Set([...left.ends(text, from), ...right.ends(text, from)]);
    return { pattern: `(?:${left.pattern}|${right.pattern})`, ends };
  }
  return {
    pattern: left.pattern + right.pattern,
    ends: (text, from) => after(text, left.ends(text, from), right),
  };
}

const suffixes: readonly (readonly [string, number, number])[] = [
  ['*', 0, Number.POSITIVE_INFINITY],
  ['*?', 0, Number.POSITIVE_INFINITY],
  ['+', 1, Number.POSITIVE_INFINITY],
  ['?', 0, 1],
  ['??', 0, 1],
  ['{2}', 2, 2],
  ['{1,3}', 1, 3],
  ['{2,}', 2, Number.POSITIVE_INFINITY],
];

const randomText = (random: Random): string =>
  Array.from({ length: random(9) }, () => 'aaabbb\n '.charAt(random(8))).join('');

const matches = ({ ends }: Model, text: string): boolean =>
  Array.from({ length: text.length + 1 }, (_, from) => from).some((from) => ends(text, from).size > 0);

test('3000 random patterns: the automaton, an empty cache, re2js and the reference agree', () => {
  const random = randomFrom(20240608);
  for (let round = 0; round < 3000; round += 1) {
    const model = randomModel(random, 1 + random(4));
    const { pattern } = model;
    const regex = compileRegex(pattern);
    const re2js = RE2JS.compile(pattern);
    const uncached = new LazyDfa(compileProgram(parsePattern(pattern)), {
      cells: 1,
      instructions: 1,
      charactersPerState: 1,
    });
    for (let turn = 0; turn < 5; turn += 1) {
      const text = randomText(random);
      const expected = matches(model, text);
      const spans = (re2js.re2().findAllIndex(text, -1) ?? []).map(([start, end]) => ({ start, end }));
      const context = `${pattern} on ${JSON.stringify(text)}`;
      expect([context, regex.test(text), uncached.test(text), re2js.test(text)]).toEqual([
        context,
        expected,
        expected,
        expected,
      ]);
      expect([context, regex.findAll(text)]).toEqual([context, spans]);
    }
  }
});
