import { anyJson, keys } from '../json-text.ts';
import type { Random } from '../random.ts';
import type { FuzzTarget } from '../target.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const json = 'application/json';

const patterns: readonly string[] = [
  '^a+$',
  '(a+)+$',
  '[',
  '(?i)x',
  '(?=a)',
  '\\pN',
  'a{1000}',
  'a{1001}',
  '(((a{99}){99}){9})',
  '',
];
const rules: readonly string[] = [
  ...[
    'self == oldSelf',
    'self.all(x, x > 0)',
    'self.size() < 5',
    "self.matches('(a+)+$')",
    'self.x.y',
    '1',
    '',
    ')',
  ],
  ...['has(self.a) && self.a.startsWith("x")', 'self.map(x, self.map(y, x + y)).size() > 0'],
];

/** Keywords with values that they take, more or less. */
const keywords: readonly ((random: Random) => readonly [string, unknown])[] = [
  (random) => [
    'type',
    random.pick(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null', '']),
  ],
  (random) => [
    'format',
    random.pick(['date-time', 'int32', 'int64', 'byte', 'uuid', 'ipv4', 'duration', 'nonsense']),
  ],
  (random) => ['pattern', random.pick(patterns)],
  (random) => ['maxLength', random.pick([0, 1, -1, 1.5, 2 ** 53])],
  (random) => ['minimum', random.pick([0, -1, 1e308, 2 ** 53])],
  (random) => ['maxItems', random.pick([0, 10, -1])],
  (random) => ['maxProperties', random.pick([0, 10])],
  (random) => ['enum', random.some(3, () => random.pick([1, 'a', null, { a: 1 }, [1]]))],
  (random) => ['default', random.pick<unknown>([1, 'a', null, {}, [], { a: { b: 1 } }])],
  (random) => ['required', random.some(2, () => random.pick(keys))],
  (random) => ['nullable', random.chance(0.5)],
  (random) => ['description', random.pick(keys)],
  () => ['x-kubernetes-preserve-unknown-fields', true],
  () => ['x-kubernetes-embedded-resource', true],
  () => ['x-kubernetes-int-or-string', true],
  (random) => ['x-kubernetes-list-type', random.pick(['atomic', 'set', 'map', 'x'])],
  (random) => ['x-kubernetes-list-map-keys', random.some(2, () => random.pick(['a', 'b', 'c', '__proto__']))],
  (random) => ['x-kubernetes-map-type', random.pick(['atomic', 'granular', ''])],
  (random) => ['x-kubernetes-validations', random.some(2, () => ({ rule: random.pick(rules) }))],
  (random) => ['x-kubernetes-property-names', { type: 'string', pattern: random.pick(patterns) }],
];

/** A schema: mostly structural, of any depth. */
function schema(random: Random, depth = 0): Record<string, unknown> {
  const type = random.pick(['object', 'object', 'array', 'string', 'integer', 'boolean']);
  const made: Record<string, unknown> = { type };
  for (const keyword of random.some(3, () => random.pick(keywords))) {
    const [name, value] = keyword(random);
    made[name] = value;
  }
  if (depth > 4) return made;
  const inner = () => schema(random, depth + 1);
  if (type === 'array' && random.chance(0.95)) made['items'] = inner();
  if (type === 'object' && random.chance(0.7)) made['properties'] = properties(random, inner);
  else if (type === 'object')
    made['additionalProperties'] = random.chance(0.8) ? inner() : random.chance(0.5);
  if (random.chance(0.05)) made[random.pick(['allOf', 'anyOf', 'oneOf'])] = random.some(2, inner);
  if (random.chance(0.03)) made['not'] = inner();
  return made;
}

function properties(random: Random, inner: () => unknown): Record<string, unknown> {
  // Not an object literal: `__proto__` must become a key.
  return Object.fromEntries(random.some(4, () => [random.pick(keys), inner()]));
}

/** CRDs with random schemas; those that are taken get objects, and go again. */
export const crdSchemas: FuzzTarget = {
  name: 'crd-schemas',
  shortCases: 250,
  prepare: async () => {},
  run: async (random, send) => {
    const plural = `k${random.below(3)}`;
    const crd = crdOf(random, plural);
    const body = random.chance(0.1) ? random.damaged(Buffer.from(crd)) : crd;
    const dryRun = random.chance(0.8);
    const { code } = await send({
      method: 'POST',
      path: `${path}${dryRun ? '?dryRun=All' : ''}`,
      contentType: json,
      body,
    });
    if (dryRun || code !== 201) return;
    for (let count = random.below(4); count > 0; count -= 1) {
      const object = `{"apiVersion":"schemas.example.com/v1","kind":"K","metadata":{"name":"o"},"spec":${anyJson(random)}}`;
      await send({
        method: 'POST',
        path: `/apis/schemas.example.com/v1/${plural}`,
        contentType: json,
        body: object,
      });
    }
    await send({ method: 'GET', path: '/openapi/v3/apis/schemas.example.com/v1' });
    await send({ method: 'DELETE', path: `${path}/${plural}.schemas.example.com` });
  },
};

function crdOf(random: Random, plural: string): string {
  const spec = {
    group: 'schemas.example.com',
    scope: 'Cluster',
    names: { plural, singular: plural, kind: 'K', listKind: 'KList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: schema(random), status: schema(random) } },
        },
        ...(random.chance(0.3) ? { subresources: { status: {} } } : {}),
        ...(random.chance(0.2)
          ? { selectableFields: [{ jsonPath: random.pick(['.spec.a', '.spec', 'a', '.spec[']) }] }
          : {}),
        ...(random.chance(0.2)
          ? {
              additionalPrinterColumns: [
                { name: 'A', type: 'string', jsonPath: random.pick(['.spec.a', '.spec[?(@.a', '']) },
              ],
            }
          : {}),
      },
    ],
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.schemas.example.com` },
    spec,
  };
  return JSON.stringify(crd);
}
