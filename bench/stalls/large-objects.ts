import type { JsonObject } from '../../src/meta/index.ts';
import type { Call } from './calls.ts';
import type { CaseParts, StallCase } from './stall-case.ts';
import { crdOf, versionOf } from '../../test/fixtures/crd.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const group = '/apis/stalls.example.com/v1';
const keyCount = 50_000;
const setItems = 50_000;
const refusedSetItems = 150_000;
const listedItems = 150_000;
const listItems = 6_000;

const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
const jsonPatchType = 'application/json-patch+json';

function entries(count: number, round = 0): Record<string, string> {
  const all: Record<string, string> = {};
  for (let index = 0; index < count; index += 1) all[`k${index}`] = index % 100 === 0 ? `${round}` : '';
  return all;
}

function configMap(name: string, data: Record<string, string>): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

const deleted = (path: string): Call => ({ method: 'DELETE', path });

const created: StallCase = {
  name: `create of a ConfigMap of ${keyCount} keys`,
  run: async ({ call }) => {
    await call({ method: 'POST', path: configMaps, body: configMap('created', entries(keyCount)) });
  },
  restore: async ({ call }) => {
    await call(deleted(`${configMaps}/created`));
  },
};

/** A case that changes one large ConfigMap. */
function changing(name: string, change: (path: string, round: number) => Call): StallCase {
  const object = name.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
  return {
    name: `${name} of a ConfigMap of ${keyCount} keys`,
    setUp: async ({ call }) => {
      await call({ method: 'POST', path: configMaps, body: configMap(object, entries(keyCount)) });
    },
    run: async ({ call }, round) => {
      await call(change(`${configMaps}/${object}`, round + 1));
    },
  };
}

const updated = changing('update', (path, round) => ({
  method: 'PUT',
  path,
  body: configMap('update', entries(keyCount, round)),
}));

const merged = changing('merge patch', (path, round) => ({
  method: 'PATCH',
  path,
  type: mergeType,
  body: JSON.stringify({ data: entries(keyCount, round) }),
}));

const strategic = changing('strategic merge patch', (path, round) => ({
  method: 'PATCH',
  path,
  type: strategicType,
  body: JSON.stringify({ data: entries(keyCount, round) }),
}));

const patched = changing('json patch with 5,000 operations', (path, round) => ({
  method: 'PATCH',
  path,
  type: jsonPatchType,
  body: JSON.stringify(
    Array.from({ length: 5_000 }, (_, index) => ({
      op: 'replace',
      path: `/data/k${index}`,
      value: `${round}`,
    })),
  ),
}));

const applying = (name: string, round: number): Call => ({
  method: 'PATCH',
  path: `${configMaps}/${name}?fieldManager=bench`,
  type: applyType,
  body: configMap(name, entries(keyCount, round)),
});

/** Of one manager alone: the fields of a second one would make the object too large to be stored. */
const applied: StallCase = {
  name: `apply of a ConfigMap of ${keyCount} keys`,
  setUp: async ({ call }) => {
    await call(applying('apply', 0));
  },
  run: async ({ call }, round) => {
    await call(applying('apply', round + 1));
  },
};

const appliedNew: StallCase = {
  name: `create by apply of a ConfigMap of ${keyCount} keys`,
  run: async ({ call }) => {
    await call(applying('applied', 0));
  },
  restore: async ({ call }) => {
    await call(deleted(`${configMaps}/applied`));
  },
};

const read = changing('read in yaml', (path) => ({ path, accept: 'application/yaml' }));

/** A body of nearly 3 MiB that is too large to be stored once it is read. */
function refused(name: string, type: string, body: (bytes: number) => string): StallCase {
  return {
    name,
    run: async ({ call }) => {
      await call({ method: 'POST', path: configMaps, body: body(3_100_000), type, status: 500 });
    },
  };
}

const yamlLines = (bytes: number) => {
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n';
  const lines = Array.from(
    { length: Math.floor(bytes / 21) },
    (_, index) => `  k${index + 100_000}: text-text\n`,
  );
  return head + lines.join('');
};

const jsonKeys = (bytes: number) =>
  configMap(
    'large',
    Object.fromEntries(
      Array.from({ length: Math.floor(bytes / 14) }, (_, index) => [`k${index + 100_000}`, '']),
    ),
  );

const nested = (bytes: number) => {
  const item = '{"a":[1,{"b":null}]},';
  const items = item.repeat(Math.floor(bytes / item.length));
  return `{"apiVersion":"stalls.example.com/v1","kind":"Free","metadata":{"name":"large"},"spec":[${items.slice(0, -1)}]}`;
};

/** CRDs of the kinds below. */
function crd(plural: string, kind: string, spec: JsonObject): string {
  const versions = [versionOf({ spec })];
  return JSON.stringify(crdOf(kind, { plural, group: 'stalls.example.com', scope: 'Cluster', versions }));
}

async function install({ call }: CaseParts, plural: string, kind: string, spec: JsonObject): Promise<void> {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await call({ method: 'POST', path: crds, body: crd(plural, kind, spec) });
  for (;;) {
    const { text } = await call({ path: `${crds}/${plural}.stalls.example.com` });
    if (/"type":"Established"/.test(text) && /"status":"True","type":"Established"/.test(text)) return;
  }
}

function custom(kind: string, name: string, spec: unknown): string {
  return JSON.stringify({ apiVersion: 'stalls.example.com/v1', kind, metadata: { name }, spec });
}

/** Creates and then updates one large object of a kind of its own. */
function customCases(options: {
  readonly what: string;
  readonly kind: string;
  readonly schema: JsonObject;
  readonly spec: (round: number) => unknown;
}): StallCase[] {
  const { what, kind, schema, spec } = options;
  const plural = `${kind.toLowerCase()}s`;
  const path = `${group}/${plural}`;
  return [
    {
      name: `create of ${what}`,
      setUp: (parts) => install(parts, plural, kind, schema),
      run: async ({ call }) => {
        await call({ method: 'POST', path, body: custom(kind, 'created', spec(0)) });
      },
      restore: async ({ call }) => {
        await call(deleted(`${path}/created`));
      },
    },
    {
      name: `update of ${what}`,
      setUp: async ({ call }) => {
        await call({ method: 'POST', path, body: custom(kind, 'updated', spec(0)) });
      },
      run: async ({ call }, round) => {
        await call({
          method: 'PATCH',
          path: `${path}/updated`,
          type: mergeType,
          body: custom(kind, 'updated', spec(round + 1)),
        });
      },
    },
  ];
}

const sets = customCases({
  what: `a set of ${setItems} integers`,
  kind: 'Group',
  schema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'integer' },
        maxItems: 200_000,
      },
    },
  },
  spec: (round) => ({ items: Array.from({ length: setItems }, (_, index) => index + round) }),
});

const atomicItems = customCases({
  what: `a list of ${listedItems} integers`,
  kind: 'Row',
  schema: {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'integer' } } },
  },
  spec: (round) => ({ items: Array.from({ length: listedItems }, (_, index) => index + round) }),
});

const keyed = customCases({
  what: `a keyed list of ${listItems} items`,
  kind: 'Listing',
  schema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, a: { type: 'integer' }, b: { type: 'string' } },
        },
      },
    },
  },
  spec: (round) => ({
    items: Array.from({ length: listItems }, (_, index) => ({
      name: `n${index}`,
      a: index + round,
      b: 'text',
    })),
  }),
});

const ruled = customCases({
  what: 'a list of 20,000 items with a CEL rule',
  kind: 'Ruled',
  schema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        maxItems: 20_000,
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.all(x, x >= 0 && x * 2 < 1000000000)' }],
      },
    },
  },
  spec: (round) => ({ items: Array.from({ length: 20_000 }, (_, index) => index + round) }),
});

const free = customCases({
  what: 'an object of 60,000 small maps',
  kind: 'Free',
  schema: { 'x-kubernetes-preserve-unknown-fields': true },
  spec: (round) => Array.from({ length: 60_000 }, (_, index) => ({ a: [index % 10, { b: round }] })),
});

const largeSchema: StallCase = {
  name: 'CRD with a schema of 1.1 MB',
  rounds: 3,
  run: async (parts, round) => {
    const leaf = (index: number) => ({ type: 'string', maxLength: 10 + index, description: 'x'.repeat(60) });
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, section) => [
        `section${section}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 90 }, (_, index) => [`field${index}`, leaf(index)]),
          ),
        },
      ]),
    );
    const [plural, kind] = [`deep${round}s`, `Deep${round}`];
    await install(parts, plural, kind, { type: 'object', properties });
    const spec = Object.fromEntries(
      Array.from({ length: 100 }, (_, section) => [`section${section}`, { field1: 'a' }]),
    );
    await parts.call({ method: 'POST', path: `${group}/${plural}`, body: custom(kind, 'a', spec) });
  },
};

/** No event of it was sent and no client has read it: the server has just started. */
function firstEvent(form: string, accept: string): StallCase {
  const path = `${configMaps}?watch=1&fieldSelector=metadata.name=watched&timeoutSeconds=5`;
  return {
    name: `first watch event of a ConfigMap of ${keyCount} keys after a start, ${form}`,
    rounds: 3,
    starts: true,
    setUp: async ({ call }) => {
      const { text } = await call({ path: `${configMaps}?fieldSelector=metadata.name=watched` });
      if (text.includes('"watched"')) return;
      await call({ method: 'POST', path: configMaps, body: configMap('watched', entries(keyCount)) });
    },
    run: async ({ call }) => {
      const { text } = await call({ path, accept });
      if (!text.includes('ADDED')) throw new Error('no event came');
    },
  };
}

/** One large object at a time. */
export const largeObjects: readonly StallCase[] = [
  created,
  updated,
  merged,
  strategic,
  patched,
  appliedNew,
  applied,
  read,
  refused('YAML of 3 MB, refused', 'application/yaml', yamlLines),
  refused('JSON of 3 MB with 250,000 keys, refused', 'application/json', jsonKeys),
  ...atomicItems,
  ...sets,
  {
    name: `set of ${refusedSetItems} integers, whose owners are too large to be stored, refused`,
    run: async ({ call }) => {
      const items = Array.from({ length: refusedSetItems }, (_, index) => index);
      await call({
        method: 'POST',
        path: `${group}/groups`,
        body: custom('Group', 'large', { items }),
        status: 500,
      });
    },
  },
  ...keyed,
  ...ruled,
  ...free,
  {
    name: 'JSON of 3 MB with 300,000 values, refused',
    run: async ({ call }) => {
      await call({ method: 'POST', path: `${group}/frees`, body: nested(3_100_000), status: 500 });
    },
  },
  largeSchema,
  firstEvent('JSON', 'application/json'),
  firstEvent('Table', 'application/json;as=Table;g=meta.k8s.io;v=v1'),
];
