import { expect, test } from 'vitest';
import { jsonEqual } from './json-equal.ts';

const float = (value: number) => Object(value);

test.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, float(1), false],
  [float(1), float(1), true],
  [float(1), float(2), false],
  [9007199254740993n, 9007199254740993n, true],
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: [1] }, { a: [float(1)] }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [JSON.parse('{"__proto__":1}'), {}, false],
])('%#', (a, b, same) => expect(jsonEqual(a, b)).toBe(same));
