import { isObject, type JsonObject, type JsonValue } from '../../src/meta/index.ts';
import type { Chance } from './chance.ts';

/** A text that stands in a body as it is: `raw('1.0')` is a number that JavaScript would write as 1. */
const raw = (token: string) => `\u0001${token}\u0002`;

/** JSON with the {@link raw} tokens in it. */
export function bodyText(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(/"\\u0001(.*?)\\u0002"/g, (_, token: string) =>
    JSON.parse(`"${token}"`),
  );
}

type Path = readonly (string | number)[];

interface Spot {
  readonly path: Path;
  readonly value: JsonValue;
}

/** All values below the fields of an object, with the paths to them. */
function spots(value: JsonValue, path: Path = []): Spot[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => spots(item, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, item]) =>
          isTypeMeta(path, key) ? [] : spots(item, [...path, key]),
        )
      : [];
  return path.length === 0 ? below : [{ path, value }, ...below];
}

const isTypeMeta = (path: Path, key: string) =>
  path.length === 0 && ['apiVersion', 'kind', 'metadata'].includes(key);

function holderOf(object: JsonObject, path: Path): { holder: JsonObject; key: string } {
  let holder: JsonValue = object;
  for (const step of path.slice(0, -1)) holder = (holder as JsonObject)[String(step)] ?? null;
  return { holder: holder as JsonObject, key: String(path.at(-1)) };
}

function put(object: JsonObject, path: Path, value: JsonValue): void {
  const { holder, key } = holderOf(object, path);
  holder[key] = value;
}

function drop(object: JsonObject, path: Path): void {
  const { holder, key } = holderOf(object, path);
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

type Mutation = (object: JsonObject, chance: Chance) => void;

function atSpot(
  change: (object: JsonObject, spot: Spot, chance: Chance) => void,
  fits = (_: JsonValue) => true,
): Mutation {
  return (object, chance) => {
    const found = spots(object).filter(({ value }) => fits(value));
    if (found.length > 0) change(object, chance.pick(found), chance);
  };
}

const odd: readonly JsonValue[] = [
  'text',
  '',
  7,
  -1,
  1.5,
  true,
  null,
  {},
  [],
  { k: 'v' },
  ['x'],
  [null],
  { k: null },
];
const numbers = [
  '1.5',
  '1.0',
  '4.0',
  '1e2',
  '1E1',
  '-0',
  '0.1e1',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
  '12345678901234567',
  '1e400',
  '123456789012345678901234567890',
  '-1.0',
];

const wrongType = atSpot((object, { path }, chance) => put(object, path, chance.pick(odd)));
const removed = atSpot((object, { path }) => drop(object, path));
const nulled = atSpot((object, { path }) => put(object, path, null));
const number = atSpot(
  (object, { path }, chance) => put(object, path, raw(chance.pick(numbers))),
  (value) => typeof value === 'number',
);
const numberAnywhere = atSpot((object, { path }, chance) => put(object, path, raw(chance.pick(numbers))));
const longText = atSpot(
  (object, { path }, chance) =>
    put(object, path, chance.pick(['x'.repeat(40), '', 'ünï "q" \\ <b>', 'not-this'])),
  (value) => typeof value === 'string',
);
const twice = atSpot(
  (object, { path, value }, chance) => {
    const list = value as JsonValue[];
    put(object, path, [...list, structuredClone(chance.pick(list))]);
  },
  (value) => Array.isArray(value) && value.length > 0,
);
const longer = atSpot(
  (object, { path, value }) =>
    put(object, path, [...(value as JsonValue[]), ...(value as JsonValue[]), ...(value as JsonValue[])]),
  Array.isArray,
);

const unknownAtTop: Mutation = (object, chance) => {
  object[chance.pick(['bogus', 'Spec', 'data'])] = chance.pick(odd);
};
const unknownBelow = atSpot((object, { path, value }, chance) => {
  put(object, path, {
    ...(value as JsonObject),
    [chance.pick(['bogus', 'foo.bar', "it's", '0'])]: chance.pick(odd),
  });
}, isObject);

const metadataChanges: readonly JsonObject[] = [
  { labels: { a: 'b' } },
  { labels: { 'not ok': 'x' } },
  { labels: { a: 1 } },
  { labels: null },
  { annotations: { a: 'b' } },
  { annotations: { 'A B': 'c' } },
  { finalizers: ['example.com/hold'] },
  { finalizers: ['nope', ''] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u' }] },
  { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u', extra: 1 }] },
  { generation: 7 },
  { generation: 'x' },
  { generateName: 'gen-' },
  { selfLink: '/some/where' },
  { creationTimestamp: null },
  { creationTimestamp: 'x' },
  { deletionTimestamp: '2020-01-02T03:04:05Z' },
  { deletionTimestamp: 'x' },
  { resourceVersion: 'abc' },
  { resourceVersion: '5' },
  { resourceVersion: '' },
  { uid: 'other' },
  { namespace: 'elsewhere' },
  { bogus: 1 },
  { clusterName: 'c' },
  { managedFields: [] },
  { managedFields: null },
  { managedFields: [{}] },
  {
    managedFields: [
      { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    ],
  },
  { managedFields: [{ manager: 'm', operation: 'Nope' }] },
];

const metadata: Mutation = (object, chance) => {
  object['metadata'] = { ...(object['metadata'] as JsonObject), ...chance.pick(metadataChanges) };
};

const typeMeta: Mutation = (object, chance) => {
  const group = String(object['apiVersion']).split('/')[0];
  const version = chance.pick([
    `${group}/v9`,
    `${group}/v2`,
    'other.example.com/v1',
    'v1',
    '',
    'a/b/c',
    raw('5'),
    null,
  ]);
  const kind = chance.pick(['Other', '', raw('5'), null, 'widget']);
  const choice = chance.below(6);
  if (choice < 2) object['apiVersion'] = version;
  else if (choice < 4) object['kind'] = kind;
  else if (choice === 4) delete object[chance.pick(['kind', 'apiVersion'])];
  else [object['apiVersion'], object['kind']] = [version, kind];
};

const typeMetaAndUnknown: Mutation = (object, chance) => {
  typeMeta(object, chance);
  unknownAtTop(object, chance);
};

const noMetadata: Mutation = (object, chance) => {
  const value = chance.pick<JsonValue | undefined>([undefined, null, {}, 'x', []]);
  if (value === undefined) delete object['metadata'];
  else object['metadata'] = value;
};

const several: Mutation = (object, chance) => {
  for (let count = 2; count > 0; count -= 1)
    chance.pick([wrongType, nulled, unknownBelow, number, removed])(object, chance);
};

/** The number of entries of a mutation is its weight. */
const mutations: readonly Mutation[] = [
  ...[
    wrongType,
    wrongType,
    wrongType,
    removed,
    removed,
    nulled,
    nulled,
    number,
    number,
    number,
    numberAnywhere,
  ],
  ...[longText, longText, twice, twice, longer, unknownAtTop, unknownBelow, unknownBelow, several, several],
  ...[metadata, metadata, metadata, typeMeta, typeMeta, typeMetaAndUnknown, noMetadata],
];

/** A copy of an object with one thing changed. */
export function mutated(object: JsonObject, chance: Chance): JsonObject {
  const copy = structuredClone(object);
  chance.pick(mutations)(copy, chance);
  return copy;
}

/** The text of a mutated object; now and then no object at all, or one with a key that stands there twice. */
export function mutatedText(object: JsonObject, chance: Chance): string {
  if (chance.percent(3))
    return chance.pick([
      '',
      '{',
      '[]',
      '"x"',
      '5',
      'null',
      '{}',
      '{"a":1}x',
      '[{}]',
      '{"metadata":{"name":"x"}}',
    ]);
  const text = bodyText(mutated(object, chance));
  if (!chance.percent(6)) return text;
  return chance.pick([
    text.replace(/^\{/, '{"extra":1,"extra":2,'),
    text.replace('"metadata":{', '"metadata":{"labels":{"a":"1","a":"2"},'),
    text.replace('"spec":{', '"spec":{"bogus":1,"bogus":2,'),
  ]);
}

/** The JSON merge patch that leads from one object to another. */
export function mergePatch(from: JsonValue, to: JsonValue): JsonValue {
  if (!isObject(from) || !isObject(to)) return to;
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    if (JSON.stringify(from[key]) !== JSON.stringify(value))
      patch[key] = mergePatch(from[key] ?? null, value);
  }
  return patch;
}
