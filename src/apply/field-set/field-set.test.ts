import { describe, expect, test } from 'vitest';
import { FieldSet } from './field-set.ts';
import { sortElements, pathDisplay } from './path-element.ts';
import { parsePathText } from './path-text.ts';
import { seededRandom } from '../../meta/index.ts';

const set = (...paths: string[]) => FieldSet.of(...paths.map(parsePathText));

describe('a field set', () => {
  test('lists what a level owns before what is below', () => {
    expect(set('.b.c', '.a.x.y', '.a', '.b', '.a.b').toText()).toEqual([
      '.a',
      '.b',
      '.a.b',
      '.a.x.y',
      '.b.c',
    ]);
  });

  test('does not own what it has something in', () => {
    const spec = set('.spec.replicas');
    expect(spec.has(parsePathText('.spec.replicas'))).toBe(true);
    expect(spec.has(parsePathText('.spec'))).toBe(false);
    expect(spec.has([])).toBe(false);
    expect(spec.has(parsePathText('.other.x'))).toBe(false);
  });

  test('never owns the root', () => {
    expect(FieldSet.of([]).isEmpty).toBe(true);
  });

  test('takes away exact paths only', () => {
    expect(set('.a', '.a.b').difference(set('.a')).toText()).toEqual(['.a.b']);
    expect(set('.a', '.a.b').difference(set('.a.b')).toText()).toEqual(['.a']);
    expect(set('.a.b').difference(set('.a.b')).isEmpty).toBe(true);
  });

  test('takes away whole subtrees when asked to', () => {
    expect(set('.a', '.a.b', '.c.d').recursiveDifference(set('.a')).toText()).toEqual(['.c.d']);
    expect(set('.a', '.a.b.c', '.a.d').recursiveDifference(set('.a.b')).toText()).toEqual(['.a', '.a.d']);
  });

  test('gives its leaves', () => {
    expect(set('.a', '.a.b', '.c').leaves().toText()).toEqual(['.c', '.a.b']);
  });

  test('is not equal to a set with more below the same steps', () => {
    expect(set('.a.b').equals(set('.a.b', '.a.c'))).toBe(false);
    expect(set('.a.b').equals(set('.a.c'))).toBe(false);
    expect(set('.a.b').isWithin(set('.a.b', '.a.c'))).toBe(true);
    expect(set('.a', '.a.b').isWithin(set('.a.b'))).toBe(false);
  });

  test('stays the very same where an operation changes nothing', () => {
    const a = set('.a.b', '.c');
    expect(a.union(set('.c'))).toBe(a);
    expect(a.difference(set('.x'))).toBe(a);
    expect(a.recursiveDifference(set('.a.x'))).toBe(a);
    expect(FieldSet.empty.union(a)).toBe(a);
  });

  test('takes names that objects treat specially', () => {
    const hostile = FieldSet.of(['f:__proto__', 'f:constructor'], ['f:toString']);
    expect(hostile.toText()).toEqual(['.toString', '.__proto__.constructor']);
    expect(hostile.has(['f:hasOwnProperty'])).toBe(false);
  });
});

describe('field sets against a model of plain sets of texts', () => {
  const random = seededRandom(7);
  const steps = ['f:a', 'f:b', 'k:{"n":1}', 'v:"x"'];
  const pick = () => steps[Math.floor(random() * steps.length)] ?? 'f:a';
  const randomPath = () => Array.from({ length: 1 + Math.floor(random() * 4) }, pick);
  const randomPaths = () => Array.from({ length: Math.floor(random() * 12) }, randomPath);
  const text = (path: readonly string[]) => path.join(' ');
  const model = (paths: readonly (readonly string[])[]) => new Set(paths.map(text));
  const prefixes = (path: string) => {
    const parts = path.split(' ');
    return parts.map((_, index) => parts.slice(0, index + 1).join(' '));
  };
  const texts = (found: FieldSet) => found.paths().map(text).sort();

  test.each(Array.from({ length: 300 }, (_, index) => index))('round %i', () => {
    const [p, q] = [randomPaths(), randomPaths()];
    const [a, b] = [FieldSet.of(...p), FieldSet.of(...q)];
    const [ma, mb] = [model(p), model(q)];
    const where = (keep: (path: string) => boolean) => [...ma].filter(keep).sort();
    expect(texts(a)).toEqual([...ma].sort());
    expect(texts(a.union(b))).toEqual([...new Set([...ma, ...mb])].sort());
    expect(texts(a.intersection(b))).toEqual(where((path) => mb.has(path)));
    expect(texts(a.difference(b))).toEqual(where((path) => !mb.has(path)));
    expect(texts(a.recursiveDifference(b))).toEqual(
      where((path) => !prefixes(path).some((up) => mb.has(up))),
    );
    expect(texts(a.leaves())).toEqual(
      where((path) => ![...ma].some((other) => other.startsWith(`${path} `))),
    );
    expect(a.isWithin(b)).toBe(where((path) => !mb.has(path)).length === 0);
    expect(a.equals(b)).toBe(a.isWithin(b) && b.isWithin(a));
    expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
    for (const path of p) expect(a.has(path)).toBe(true);
  });

  test('paths come in one order', () => {
    const ordered = FieldSet.of(...Array.from({ length: 40 }, randomPath)).paths();
    expect(ordered.map(pathDisplay)).toEqual(FieldSet.of(...[...ordered].reverse()).toText());
    const first = ordered.filter((path) => path.length === 1).map(([step = '']) => step);
    expect(sortElements(first)).toEqual(first);
  });
});
