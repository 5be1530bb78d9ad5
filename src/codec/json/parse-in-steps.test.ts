import { describe, expect, test } from 'vitest';
import { atOnce, type JsonValue, seededRandom } from '../../meta/index.ts';
import { countKeys } from './count-keys.ts';
import { decodeJson, decodeJsonInSteps } from './decode-json.ts';
import { parseInSteps } from './parse-in-steps.ts';

const parse = (text: string) => atOnce(parseInSteps(Buffer.from(text)));

/** Longer than a step, as members of an object. */
const many = (count = 10_000) => Array.from({ length: count }, (_, index) => `"k${index}":"v"`).join(', ');
const items = (count = 20_000) => Array.from({ length: count }, (_, index) => `{"a":${index}}`).join(' ,');

describe('a long text is read as JSON.parse reads it', () => {
  test.each([
    ['an object', `{${many()}}`],
    ['a list', ` [${items()}] `],
    ['a list in objects, with members before and after', `{"a":1,"b":{"c":[${items()}],"d":{}},"e":[]}`],
    ['an object in lists', `[1,[2,{${many()}},3],4]`],
    ['two long values', `{"a":{${many()}},"b":[${items()}]}`],
    ['a long value, and nothing beside it', `{"a":{"b":{${many()}}}}`],
    ['white space everywhere', `{ "a"\n:\t{ ${many()} } , "b" : [ ${items()} ] }`],
    [
      'quotes, brackets and commas in texts',
      `{"a,]}\\"":["\\\\",${JSON.stringify(`{"],${many()}`)}],${many()}}`,
    ],
    ['keys that objects know', `{"__proto__":{${many()}},"constructor":1,"10":2,"9":3,${many()}}`],
    ['beyond ASCII', `{"ä":["ö\u{1f600}",${items()}],"ü":{${many()}}}`],
    ['one long text', JSON.stringify('x'.repeat(1_000))],
    ['a list of lists', `[${'[1,2,[3]],'.repeat(10_000)}[]]`],
  ])('%s', (_, text) => {
    const expected: JsonValue = JSON.parse(text);
    const parsed = parse(text);
    expect(parsed?.value).toEqual(expected);
    expect(JSON.stringify(parsed?.value)).toBe(JSON.stringify(expected));
    expect(parsed?.keys).toBe(countKeys(expected));
  });
});

describe('text that is not JSON is refused', () => {
  test.each([
    ['a comma at the end of an object', `{${many()},}`],
    ['a comma at the end of a list', `[${items()},]`],
    ['a comma at the beginning', `{,${many()}}`],
    ['two commas', `{${many()},,${many()}}`],
    ['two commas after a long value', `{"a":{${many()}},,"b":1}`],
    ['no comma after a long value', `{"a":{${many()}} "b":1}`],
    ['a comma after a long value, and nothing', `{"a":{${many()}},}`],
    ['no key before a long value', `{{${many()}}}`],
    ['a number before a long value', `{"a":5[${items()}]}`],
    ['a text before a long value', `["a"[${items()}]]`],
    ['no end', `{"a":[${items()}`],
    ['another bracket at the end', `{"a":[${items()}}]`],
    ['more after the end', `[${items()}] 1`],
    ['something before', `1[${items()}]`],
    ['a space that JSON does not have', `[${items()},\u00a0[${items()}]]`],
    ['a bracket too many', `[${items()}]]`],
  ])('%s', (_, text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(parse(text)).toBeUndefined();
  });
});

test('random long texts are read as JSON.parse reads them, and broken ones as decodeJson does', () => {
  const numbers = seededRandom(7);
  const random = (below: number) => Math.floor(numbers() * below);
  const value = (depth: number): string => {
    const kind = random(depth > 4 ? 4 : 7) + (depth === 0 ? 4 : 0);
    const count = depth === 0 ? 3_000 : random(5);
    if (kind === 4 || kind > 8) return `[${Array.from({ length: count }, () => value(depth + 2)).join(',')}]`;
    if (kind > 4)
      return `{${Array.from({ length: count }, (_, at) => `"${at}x":${value(depth + 2)}`).join(',')}}`;
    return ['null', '12', '"text"', 'true'][kind] ?? 'null';
  };
  for (let round = 0; round < 10; round += 1) {
    const text = `{"a":${value(0)},"b":[${items(6_000)}],"c":${value(0)}}`;
    expect(parse(text)?.value).toEqual(JSON.parse(text));
    const at = random(text.length);
    const broken = Buffer.from(
      text.slice(0, at) + (['', ',', '}', ']', '"', ' '][random(6)] ?? '') + text.slice(at + 1),
    );
    const outcome = (read: () => unknown) => {
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    };
    expect(outcome(() => atOnce(decodeJsonInSteps(broken)))).toEqual(outcome(() => decodeJson(broken)));
  }
});

test.each([
  ['plain', `{"a":{${many(20_000)}}}`],
  ['with a key twice', `{"a":{${many(20_000)}},"a":1}`],
  ['with 19 digits', `{"n":1234567890123456789,"a":{${many(20_000)}}}`],
])('a long text is decoded in many steps: %s', (_, text) => {
  const steps = decodeJsonInSteps(Buffer.from(text));
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  expect(pauses).toBeGreaterThan(text.length / 2 ** 15 - 2);
});
