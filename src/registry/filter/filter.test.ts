import { describe, expect, test } from 'vitest';
import { FieldSource, type Query, textOfBucket } from '../../cache/index.ts';
import type { SelectableField } from '../../crd/index.ts';
import type { FieldText } from '../../meta/index.ts';
import { RuleEnvironments } from '../../schema/index.ts';
import type { Representations } from '../representation/representation.ts';
import { Filter } from './filter.ts';
import { FilterFields } from './filter-fields.ts';
import { filterQuery } from './filter-query.ts';
import { timeOfList, timeOfWatch } from './filter-time.ts';

const selectable: readonly SelectableField[] = [
  { fieldPath: 'spec.color' },
  { fieldPath: 'spec.size', valueType: 'string' },
  { fieldPath: 'spec.count', valueType: 'integer' },
  { fieldPath: 'spec.sold', valueType: 'boolean' },
  { fieldPath: 'spec.ports[*].name' },
  { fieldPath: 'spec.ports[*].port', valueType: 'integer' },
  { fieldPath: 'spec.my-field' },
  { fieldPath: 'spec.a b' },
  { fieldPath: 'type' },
  { fieldPath: 'reason' },
];

const environment = new RuleEnvironments({ major: 1, minor: 35 }).forNew;
const fields = new FilterFields(selectable, { namespaced: true });
const filter = (source: string) => new Filter(source, fields, environment);

const time = timeOfList({ now: () => 0 });

const widget: Record<string, FieldText> = {
  'metadata.name': 'widget1',
  'metadata.namespace': 'default',
  'spec.color': 'blue',
  'spec.count': '20',
  'spec.sold': 'false',
  'spec.ports[*].name': ['http', 'https'],
  'spec.ports[*].port': ['80', '443'],
  'spec.my-field': 'x',
  type: 'Normal',
};
const holds = (source: string, object = widget) => filter(source).holds((field) => object[field] ?? '', time);

describe('what a filter selects', () => {
  test.each([
    ["spec.color == 'blue'", true],
    ["spec.color != 'blue'", false],
    ["spec.color in ['red', 'blue']", true],
    ["spec.color.startsWith('b') && spec.count > 5", true],
    ['spec.count == 20', true],
    ['spec.count < 9', false],
    ['spec.sold', false],
    ['!spec.sold', true],
    ["metadata.name == 'widget1' && metadata.namespace == 'default'", true],
    ["metadata.__namespace__ == 'default'", true],
    ["'http' in spec.ports.name", true],
    ['443 in spec.ports.port', true],
    ['8080 in spec.ports.port', false],
    ["spec.ports.name.all(name, name.startsWith('http'))", true],
    ["spec.my__dash__field == 'x'", true],
    ["type == 'Normal'", true],
    ["['blue', 'red'].exists(color, color == spec.color)", true],
    ['true', true],
    // An absent field makes the expression fail, and an object for which it fails is not selected.
    ["spec.size == 'M'", false],
    ["spec.size != 'M'", false],
    ["!(spec.size == 'M')", false],
    ["spec.size != 'M' || spec.color == 'blue'", true],
    ['has(spec.size)', false],
    ['!has(spec.size)', true],
    ["!has(spec.size) || spec.size == 'M'", true],
    ["reason == ''", false],
  ])('%s: %s', (source, selected) => expect(holds(source)).toBe(selected));

  test('no list at all is an empty one', () => {
    expect(holds("'http' in spec.ports.name", {})).toBe(false);
    expect(holds("!('http' in spec.ports.name)", {})).toBe(true);
  });

  test('integers keep all 64 bits; what is no integer is not there', () => {
    expect(holds('spec.count == 9007199254740993', { 'spec.count': '9007199254740993' })).toBe(true);
    expect(holds('spec.count == 9007199254740992', { 'spec.count': '9007199254740993' })).toBe(false);
    expect(holds('spec.count > 0', { 'spec.count': '1e+20' })).toBe(false);
  });
});

describe('a filter that cannot be used', () => {
  test.each([
    ["spec.color == 'blue", 'Syntax error'],
    ["spec.colour == 'blue'", 'undefined field'],
    ["other.field == 'blue'", 'undeclared reference'],
    ['spec.count == spec.color', 'found no matching overload'],
    ['spec.color', 'must evaluate to a bool'],
    ["spec.color.matches('(')", 'invalid matches argument'],
    ['x'.repeat(10_001), 'longer than 10000 characters'],
    [
      'spec.ports.name.all(a, spec.ports.name.all(b, spec.ports.name.exists(c, c == a && a != b)))',
      'more than 10000',
    ],
  ])('%.40s', (source, text) => {
    expect(() => filter(source)).toThrow(expect.objectContaining({ code: 400 }));
    expect(() => filter(source)).toThrow(text);
  });
});

/** `and(spec.color in blue, any)` */
function shown(query: Query<Representations>): string {
  switch (query.kind) {
    case 'in':
    case 'notIn':
      return `${query.index.name} ${query.kind} ${query.buckets.join('|')}`;
    case 'where': {
      const values = ['', 'blue', 'green', 'red', '3', '20'].filter(query.test);
      return `${query.index.name} where ${values.join('|')}`;
    }
    case 'and':
    case 'or':
      return `${query.kind}(${query.of.map(shown).join(', ')})`;
    case 'anything':
      return 'any';
    case 'nothing':
      return 'nothing';
  }
}

describe('a filter that takes too long', () => {
  const list = `[${Array.from({ length: 40 }, (_, at) => at)}]`;
  const slow = filter(`${list}.all(n, n >= 0) && spec.color == 'blue'`);
  const textOf = (field: string) => widget[field] ?? '';
  /** Each call returns a later time. */
  const runningClock = (stepMs: number) => {
    let nowMs = 0;
    return { now: () => (nowMs += stepMs) };
  };

  test('ends a list: all evaluations together have the time', () => {
    const long = timeOfList(runningClock(500));
    expect(slow.holds(textOf, long)).toBe(true);
    expect(() => {
      for (let objects = 0; objects < 100; objects += 1) slow.holds(textOf, long);
    }).toThrow('Timeout: the filter took longer than 5000 ms');
    expect(() => slow.holds(textOf, timeOfList(runningClock(6_000)))).toThrow('Timeout: ');
  });

  test('does not select in a watch: each evaluation has the time', () => {
    const long = timeOfWatch(runningClock(500));
    for (let events = 0; events < 100; events += 1) expect(slow.holds(textOf, long)).toBe(true);
    expect(slow.holds(textOf, timeOfWatch(runningClock(6_000)))).toBe(false);
  });

  test('nor do indexes wait for one', () => {
    const values = new FieldSource<Representations>(['spec.color'], () => undefined);
    const late = filterQuery(
      filter(`${list}.all(n, spec.color != string(n))`),
      () => values.definitions[0],
      timeOfList(runningClock(6_000)),
    );
    expect(() => late.kind === 'where' && late.test('blue')).toThrow('Timeout: ');
  });
});

describe('what indexes are asked', () => {
  const source = new FieldSource<Representations>(
    [...fields].map(({ fieldPath }) => fieldPath),
    () => undefined,
  );
  const query = (text: string) =>
    shown(filterQuery(filter(text), (path) => source.definitions.find(({ name }) => name === path), time));

  test.each([
    ["spec.color == 'blue'", 'spec.color in blue'],
    ["'blue' == spec.color", 'spec.color in blue'],
    ["spec.color != 'blue'", 'spec.color notIn blue|'],
    ["!(spec.color == 'blue')", 'spec.color notIn blue|'],
    ["!(spec.color != 'blue')", 'spec.color in blue'],
    ["spec.color in ['blue', 'red']", 'spec.color in blue|red'],
    ["!(spec.color in ['blue', 'red'])", 'spec.color notIn blue|red|'],
    ['spec.count == 20', 'spec.count in 20'],
    ['spec.count in [3, 20]', 'spec.count in 3|20'],
    ['spec.sold == false', 'spec.sold in false'],
    ['spec.count > 5', 'spec.count where 20'],
    ['!(spec.count > 5)', 'spec.count where 3'],
    [
      "spec.color.contains('e') && spec.color != 'red'",
      'and(spec.color where blue|green|red, spec.color notIn red|)',
    ],
    ["spec.color == 'blue' || spec.color == 'red'", 'spec.color in blue|red'],
    ["spec.color == 'blue' || spec.count == 3", 'or(spec.color in blue, spec.count in 3)'],
    ["!(spec.color == 'blue' || spec.count == 3)", 'and(spec.color notIn blue|, spec.count notIn 3|)'],
    ["!(spec.color == 'blue' && spec.count == 3)", 'or(spec.color notIn blue|, spec.count notIn 3|)'],
    ['has(spec.color)', 'spec.color where blue|green|red|3|20'],
    ['!has(spec.color)', 'spec.color where '],
    ['has(spec.color) == true', 'spec.color where blue|green|red|3|20'],
    ["'http' in spec.ports.name", 'spec.ports[*].name in http'],
    ["!('http' in spec.ports.name)", 'spec.ports[*].name notIn http'],
    ["spec.ports.name.exists(n, n == 'http')", 'any'],
    ['spec.color == spec.size', 'any'],
    ['spec.color == spec.size && spec.count == 3', 'and(any, spec.count in 3)'],
    ['true', 'any'],
    ['false', 'nothing'],
    ['1 / 0 == 1', 'nothing'],
    ['has(spec.ports)', 'any'],
    ["['a'].exists(spec, spec == 'a')", 'any'],
    ["metadata.name == 'x'", 'metadata.name in x'],
    ["spec.color == 'blue' ? spec.color != 'x' : false", 'spec.color where blue'],
  ])('%s: %s', (text, asked) => expect(query(text)).toBe(asked));

  test('what an index cannot tell of a long value is left to the check', () => {
    const asked = filterQuery(filter("spec.color.endsWith('x')"), () => source.definitions[0], time);
    expect(asked.kind === 'where' && asked.test('\0hash')).toBe(true);
    expect(textOfBucket('\0hash')).toBeUndefined();
  });
});
