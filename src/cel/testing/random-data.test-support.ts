import { CelDouble } from '../values/double.ts';
import { declare } from '../types/declared-type.ts';

const part = declare.object('Part', [
  ['name', declare.string()],
  ['count', declare.int()],
]);

/** The data of random expressions. */
export const randomSelfType = declare.object('Self', [
  ['flag', declare.bool()],
  ['count', declare.int()],
  ['ratio', declare.double()],
  ['text', declare.string()],
  ['absent', declare.string()],
  ['part', part],
  ['names', declare.list(declare.string())],
  ['numbers', declare.list(declare.int())],
  ['ratios', declare.list(declare.double())],
  ['parts', declare.list(part)],
  ['labels', declare.map(declare.string())],
  ['anything', declare.dyn()],
  ['bytes', declare.bytes()],
  ['when', declare.timestamp()],
  ['day', declare.date()],
  ['span', declare.duration()],
  ['set', declare.list(declare.string(), { listType: 'set' })],
  ['keyed', declare.list(part, { listType: 'map', mapKeys: ['name'] })],
]);

/** Random JSON of any type, sometimes with a value of ours inside. */
export function randomJson(random: () => number, depth = 3): unknown {
  const pick = <T>(...items: T[]): T | undefined => items[Math.floor(random() * items.length)];
  const scalar = (): unknown =>
    pick<unknown>(1, 1.5, -0, 'a', '', true, null, 2n ** 63n, 9007199254740993n, new CelDouble(2));
  const inner = (): unknown => randomJson(random, depth - 1);
  if (depth === 0 || random() < 0.2) return scalar();
  if (random() < 0.3) return Array.from({ length: Math.floor(random() * 4) }, inner);
  return random() < 0.9
    ? { a: inner(), self: scalar() }
    : JSON.parse('{"constructor": 1, "a": [1], "__proto__": {"a": 2}}');
}

/** A random object of that type; sometimes a field is missing or does not match its declaration. */
export function randomSelf(random: () => number): Record<string, unknown> {
  const pick = <T>(...items: T[]): T | undefined => items[Math.floor(random() * items.length)];
  const text = (): unknown => pick('a', 'self', '', 'h\u00e9llo', 'x\u{1f600}y', 'constructor');
  const int = (): unknown =>
    pick<number | bigint>(0, 1, -3, 42, 9007199254740991, 9223372036854775807n, 1e300);
  const list = (item: () => unknown): unknown[] => Array.from({ length: Math.floor(random() * 4) }, item);
  const makePart = (): Record<string, unknown> =>
    random() < 0.8 ? { name: text(), count: int() } : { name: text() };
  const self: Record<string, unknown> = {
    flag: random() < 0.5,
    count: int(),
    ratio: pick(0, 1, 2.5, -0.125),
    text: text(),
    part: makePart(),
    names: list(text),
    numbers: list(int),
    ratios: list(() => pick(1, 2.5)),
    parts: list(makePart),
    labels: JSON.parse(random() < 0.5 ? '{"a": "1", "__proto__": "2"}' : '{"constructor": "c", "self": "s"}'),
    anything: randomJson(random),
    bytes: pick('', 'QUI=', '_-8='),
    when: pick('2026-02-03T04:05:06Z', '0001-01-01T00:00:00Z', '2024-02-29T23:59:59.123456789+14:00'),
    day: pick('2026-12-31', '1969-07-20'),
    span: pick('0s', '-1h2m3.5s', '2562047h'),
    set: ['a', 'self', 'x'].slice(Math.floor(random() * 3)),
    keyed: [
      { name: 'a', count: int() },
      { name: 'b', count: int() },
    ],
  };
  for (const key of Object.keys(self)) {
    const chance = random();
    if (chance < 0.05) delete self[key];
    else if (chance < 0.08) self[key] = null;
    else if (chance < 0.1) self[key] = pick<unknown>(7, 'wrong', [], {});
  }
  return self;
}
