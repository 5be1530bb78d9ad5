import type { Random } from './random.ts';

/** Keys that JavaScript, JSON pointers or field paths could stumble over. */
export const keys: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length'],
  ...['', ' ', '.', '..', '/', '~', '~0', '~1', '-', '0', '-1', '1e3', '[0]', '$patch', 'f:spec'],
  ...['metadata', 'spec', 'status', 'apiVersion', 'kind', 'name', 'labels', 'a', 'b', 'key', 'value'],
  ...['\u0000', '\u2028', '\ud800', 'é', '🌱', 'x'.repeat(300)],
];

const scalars: readonly string[] = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1',
    '-1',
    '1.0',
    '1.5',
    '1e2',
    '1E+5',
    '1e400',
    '-1e400',
    '1e-400',
  ],
  ...[
    '9007199254740993',
    '-9223372036854775809',
    '18446744073709551616',
    '9'.repeat(400),
    `0.${'1'.repeat(300)}`,
  ],
  ...['""', '"a"', '"1"', '"true"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\u2028"', '"\\u2028"'],
  ...['"2020-01-01T00:00:00Z"', '"2020-13-45T99:00:00Z"', '"1h"', '"1Gi"', '"10.0.0.1"', '"::1"', '"YQ=="'],
  // Not JSON.
  ...['01', '+1', '.5', 'NaN', 'Infinity', '"\\x"', '"\t"', "'a'", 'undefined', '1n'],
];

/** JSON text: any value, mostly well formed. */
export function anyJson(random: Random, depth = 0): string {
  const kind = random.next();
  if (depth > 5 || kind < 0.5)
    return random.chance(0.95) ? random.pick(scalars.slice(0, 28)) : random.pick(scalars);
  const inner = () => anyJson(random, depth + 1);
  if (kind < 0.7) return `[${random.some(4, inner).join(',')}]`;
  return `{${random.some(4, () => `${JSON.stringify(random.pick(keys))}:${inner()}`).join(',')}}`;
}

/** Metadata: a name, and a few other fields with values of their type or of any. */
export function metadata(random: Random, name: string): string {
  const others = random.some(3, () => {
    const [field, value] = random.pick(metadataFields);
    return `${JSON.stringify(field)}:${random.chance(0.5) ? value : anyJson(random, 3)}`;
  });
  return `{${[`"name":${random.chance(0.95) ? JSON.stringify(name) : anyJson(random, 4)}`, ...others].join(',')}}`;
}

const metadataFields: readonly (readonly [string, string])[] = [
  ['generateName', '"g-"'],
  ['namespace', '"default"'],
  ['uid', '"x"'],
  ['resourceVersion', '"5"'],
  ['generation', '3'],
  ['creationTimestamp', 'null'],
  ['deletionTimestamp', '"2020-01-01T00:00:00Z"'],
  ['deletionGracePeriodSeconds', '-1'],
  ['labels', '{"a":"b","__proto__":"c"}'],
  ['annotations', '{"a/b":"c"}'],
  ['finalizers', '["a/b","a/b"]'],
  ['ownerReferences', '[{"apiVersion":"v1","kind":"X","name":"n","uid":"u","controller":true}]'],
  [
    'managedFields',
    '[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"k:{":{}}}}]',
  ],
  ['selfLink', '"x"'],
  ['__proto__', '{"a":1}'],
];

/** Values that are deep, wide or long; near the limits of bodies. */
export function largeJson(random: Random): string {
  const count = random.pick([1_000, 10_000, 50_000]);
  return random.pick([
    () => `${'['.repeat(count)}${']'.repeat(count)}`,
    () => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`,
    () => `"${'\\u0041'.repeat(count)}"`,
    () => `[${Array.from({ length: count }, () => '1').join(',')}]`,
    () => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`,
    () => `{${Array.from({ length: count }, () => '"a":"b"').join(',')}}`,
    () => `[${Array.from({ length: count }, (_, index) => `{"key":"k${index % 500}"}`).join(',')}]`,
  ])();
}
