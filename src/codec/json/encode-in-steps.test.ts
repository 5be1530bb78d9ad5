import { describe, expect, test } from 'vitest';
import { atOnce, type JsonObject, type JsonValue } from '../../meta/index.ts';
import { surveyJsonText } from './encode-json.ts';
import { surveyJsonInSteps } from './encode-in-steps.ts';

function wide(count: number, value: (index: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value(index)]));
}

describe('the text is that of surveyJsonText', () => {
  test.each<[string, JsonValue]>([
    ['a scalar', 7],
    ['nothing', {}],
    ['lists in lists', [[], [[]], [1, [2]]]],
    ['a wide object out of order', { z: wide(1_000, String), a: { b: wide(300, () => ({})) } }],
    ['a wide list', { list: Array.from({ length: 1_000 }, (_, index) => ({ b: index, a: null })) }],
    ['keys that are numbers', wide(300, () => 1)],
    ['keys from 1 to 300', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index, index]))],
    [
      'a key that objects know',
      JSON.parse(`{"__proto__":${JSON.stringify(wide(300, () => '<'))},"b":1,"a":2}`),
    ],
    ['surrogates', { ...wide(300, () => '\ud800'), '\uffff': 1, '\u{1f600}': 2, '\ud800': 3 }],
    ['large integers', { a: 1n << 62n, list: Array.from({ length: 300 }, () => -0) }],
  ])('%s', (_, value) => {
    expect(atOnce(surveyJsonInSteps(value))).toEqual(surveyJsonText(value));
  });
});

test('wide objects and lists are written in steps', () => {
  const steps = surveyJsonInSteps({ a: wide(2_560, String), b: Array.from({ length: 2_560 }, () => 0) });
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  // Ten runs of members each; before, the keys are sorted: three runs, merged in two rounds of two pauses.
  expect(pauses).toBe(20 + 3 + 4);
});
