import { describe, expect, test } from 'vitest';
import { goPrint, isObject, type JsonValue, own } from '../../meta/index.ts';
import { randomValue, randomBelow } from '../random-value.test-data.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { JsonPicker } from './json-picker.ts';

const picker = new JsonPicker([
  ['apiVersion'],
  ['spec', 'color'],
  ['spec', 'deep', 'size'],
  ['status', 'ready'],
]);
const pick = (text: string) => picker.pick(Buffer.from(text));

describe('scalars at paths', () => {
  test.each([
    ['{}', [undefined, undefined, undefined, undefined]],
    [
      '{"apiVersion":"v1","other":{"spec":{"color":"no"}},"spec":{"color":"blue","deep":{"size":12},"z":[1,{"}":2}]},"status":{"ready":true}}',
      ['v1', 'blue', '12', 'true'],
    ],
    ['{"spec":{"color":null,"deep":null},"status":null}', [undefined, undefined, undefined, undefined]],
    ['{"apiVersion":"v1"}\n', ['v1', undefined, undefined, undefined]],
    ['{"spec":{"color":"","deep":{"size":-5}}}', [undefined, '', '-5', undefined]],
    ['{"spec":{"color":"gr\u00fcn \u{1F600}"}}', [undefined, 'gr\u00fcn \u{1F600}', undefined, undefined]],
    ['{"spec":{"color":"a"},"spec":{"color":"b"}}', [undefined, 'b', undefined, undefined]],
    [
      '{"__proto__":{"color":"x"},"spec":{"__proto__":1,"color":"y"}}',
      [undefined, 'y', undefined, undefined],
    ],
  ])('%s', (text, values) => expect(pick(text)).toEqual(values));

  test.each([
    '',
    '[]',
    '"spec"',
    '{',
    '{} x',
    '{"spec":{"color":"blue"}',
    '{ "spec":{"color":"blue"}}',
    '{"spec": {"color":"blue"}}',
    '{"spec":{"color": "blue"}}',
    '{"spec":{"color":"blue" }}',
    '{"other": 1,"spec":{"color":"blue"}}',
    '{"sp\\u0065c":{"color":"blue"}}',
    '{"spec":{"color":"bl\\u0075e"}}',
    '{"spec":{"color":["blue"]}}',
    '{"spec":{"color":{"is":"blue"}}}',
    '{"spec":["color"]}',
    '{"spec":{"deep":{"size":1.5}}}',
    '{"spec":{"deep":{"size":1e3}}}',
    '{"spec":{"deep":{"size":-0}}}',
    '{"spec":{"deep":{"size":12345678901234567890}}}',
    '{"spec":{"deep":{"size":01}}}',
    '{"spec":{"deep":{"size":tru}}}',
  ])('%j is for a parser', (text) => expect(pick(text)).toBeUndefined());

  test('what is no UTF-8 is for a parser', () => {
    const bytes = Buffer.from('{"spec":{"color":"bl?e"}}');
    bytes[bytes.indexOf('?')] = 0xff;
    expect(picker.pick(bytes)).toBeUndefined();
  });
});

/** At this depth values contain no others. */
const scalar = 4;

test('of random objects it gives what decoding gives, or leaves it to that', () => {
  const random = randomBelow(7);
  let told = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const value: JsonValue = {
      apiVersion: 'v1',
      spec: {
        color: randomValue(random, scalar),
        deep: { size: randomValue(random, scalar), more: randomValue(random, 3) },
      },
      status: random(2) === 0 ? randomValue(random, 2) : { ready: randomValue(random, scalar) },
    };
    const bytes = encodeJson(value);
    const picked = picker.pick(bytes);
    if (picked === undefined) continue;
    told += 1;
    const decoded = decodeJson(bytes).value;
    const at = (...keys: string[]) => {
      let here: JsonValue | undefined = decoded;
      for (const key of keys) here = isObject(here) ? own(here, key) : undefined;
      return here === undefined || here === null ? undefined : goPrint(here);
    };
    expect(picked).toEqual([
      at('apiVersion'),
      at('spec', 'color'),
      at('spec', 'deep', 'size'),
      at('status', 'ready'),
    ]);
  }
  expect(told).toBeGreaterThan(300);
});
