import { anyJson, metadata } from '../json-text.ts';
import type { Random } from '../random.ts';
import type { FuzzRequest, FuzzTarget } from '../target.ts';
import { prepareThings, thingsPath } from '../things.ts';
import { specOf } from './bodies.ts';

const pointers: readonly string[] = [
  ...['', '/', '/spec', '/spec/text', '/spec/list/0', '/spec/list/-', '/spec/list/00', '/spec/list/-1'],
  ...['/spec/list/1e1', '/spec/list/99999999999', '/spec/any/list/1/a', '/spec/any/list/length', '/spec//'],
  ...['/__proto__', '/__proto__/x', '/constructor/prototype/x', '/metadata/__proto__/x', '/spec/toString/x'],
  ...['/spec/~0', '/spec/~1', '/spec/~01', '/spec/~2', '/spec/~', 'spec', '/\u2028', '/kind', '/apiVersion'],
  ...['/metadata', '/metadata/name', '/metadata/uid', '/metadata/resourceVersion', '/metadata/managedFields'],
  ...['/metadata/managedFields/0', '/metadata/labels', '/metadata/labels/a', '/metadata/finalizers'],
];

const directives: readonly string[] = [
  ...['"$patch":"delete"', '"$patch":"replace"', '"$patch":"merge"', '"$patch":"x"', '"$patch":[]'],
  ...['"$retainKeys":["a"]', '"$setElementOrder/ports":[{"port":80}]', '"$setElementOrder/__proto__":[1]'],
  ...['"$deleteFromPrimitiveList/finalizers":["a"]', '"$deleteFromPrimitiveList/constructor":{}'],
  ...[
    '"ports":[{"$patch":"delete","port":80}]',
    '"ports":[{"port":81,"name":"x"}]',
    '"ports":[{"$patch":"replace"}]',
  ],
];

const managedKeys: readonly string[] = [
  ...[
    'f:spec',
    'f:list',
    'f:text',
    'k:{"key":"a"}',
    'k:{',
    'k:[]',
    'k:null',
    'k:{"key":1e400}',
    'v:"x"',
    'v:',
  ],
  ...[
    'i:0',
    'i:-1',
    'i:99999999999999999999',
    'i:x',
    '.',
    'f:',
    'x:',
    '',
    'f:__proto__',
    'k:{"__proto__":{}}',
  ],
];

/** One patch of each kind, of things and of built-in objects. */
const makers: readonly ((random: Random) => Omit<FuzzRequest, 'method' | 'path'>)[] = [
  (random) => ({ contentType: 'application/json-patch+json', body: jsonPatch(random) }),
  (random) => ({ contentType: 'application/merge-patch+json', body: mergePatch(random) }),
  (random) => ({ contentType: 'application/strategic-merge-patch+json', body: strategicPatch(random) }),
  (random) => ({ contentType: 'application/apply-patch+yaml', body: applyPatch(random) }),
];

/** JSON, merge, strategic merge and apply patches. */
export const patches: FuzzTarget = {
  name: 'patches',
  shortCases: 500,
  prepare: async (send) => {
    await prepareThings(send);
    const body = JSON.stringify({ metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    const path = '/api/v1/namespaces/default/services';
    await send({ method: 'POST', path, contentType: 'application/json', body });
  },
  run: async (random, send) => {
    const made = random.pick(makers)(random);
    const path = random.chance(0.2)
      ? '/api/v1/namespaces/default/services/s'
      : `${thingsPath}/t${random.below(10)}${random.pick(['', '', '', '/status', '/scale'])}`;
    const query = random.pick([
      '',
      '?fieldManager=a',
      '?fieldManager=b&force=true',
      '?force=x',
      '?dryRun=All&fieldManager=a',
    ]);
    const damage = random.chance(0.1);
    const body = damage ? random.damaged(Buffer.from(String(made.body))) : made.body;
    await send({
      ...made,
      method: 'PATCH',
      path: `${path}${query}`,
      ...(body === undefined ? {} : { body }),
    });
  },
};

function jsonPatch(random: Random): string {
  if (random.chance(0.01)) {
    const one = random.pick([
      '{"op":"add","path":"/spec/any/list/0","value":1}',
      '{"op":"copy","from":"/spec/any","path":"/spec/any/list/-"}',
      '{"op":"test","path":"/kind","value":"Thing"}',
    ]);
    return `[${Array.from({ length: random.pick([100, 2_000, 10_001]) }, () => one).join(',')}]`;
  }
  const operation = () =>
    [
      `{"op":${JSON.stringify(random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']))}`,
      `"path":${random.chance(0.97) ? JSON.stringify(random.pick(pointers)) : anyJson(random, 4)}`,
      ...random.some(1, () => `"from":${JSON.stringify(random.pick(pointers))}`),
      `"value":${anyJson(random, 3)}}`,
    ].join(',');
  return `[${random.some(5, operation).join(',')}]`;
}

function mergePatch(random: Random): string {
  const parts = [
    ...random.some(1, () => `"spec":${specOf(random)}`),
    ...random.some(1, () => `"metadata":${random.chance(0.5) ? managed(random) : metadata(random, 't1')}`),
    ...random.some(
      1,
      () => `${JSON.stringify(random.pick(['kind', 'apiVersion', 'status', 'x']))}:${anyJson(random, 3)}`,
    ),
  ];
  return `{${parts.join(',')}}`;
}

function managed(random: Random): string {
  const entry = () =>
    [
      `{"manager":${random.chance(0.8) ? '"m"' : anyJson(random, 4)}`,
      `"operation":${random.pick(['"Apply"', '"Update"', '"X"', 'null', '1'])}`,
      `"apiVersion":${random.pick(['"fuzz.example.com/v1"', '"nope/v9"', '""', 'null', '1'])}`,
      `"time":${random.pick(['"2020-01-01T00:00:00Z"', 'null', '"x"'])}`,
      `"fieldsType":${random.pick(['"FieldsV1"', '"X"', 'null'])},"fieldsV1":${fieldSet(random, 0)}}`,
    ].join(',');
  return `{"managedFields":[${random.some(3, entry).join(',')}]}`;
}

function fieldSet(random: Random, depth: number): string {
  if (depth > 4 || random.chance(0.2)) return random.pick(['{}', '{".":{}}', 'null', '[]', '1']);
  const entries = random.some(
    4,
    () => `${JSON.stringify(random.pick(managedKeys))}:${fieldSet(random, depth + 1)}`,
  );
  return `{${entries.join(',')}}`;
}

function strategicPatch(random: Random): string {
  const inner = () => (random.chance(0.6) ? random.pick(directives) : `"x":${anyJson(random, 4)}`);
  const field = () => random.pick(['spec', 'metadata', 'data', '__proto__']);
  return `{${[...random.some(2, inner), `"${field()}":{${random.some(3, inner).join(',')}}`].join(',')}}`;
}

function applyPatch(random: Random): string {
  const name = `t${random.below(10)}`;
  const body = random.chance(0.5)
    ? `{"apiVersion":"fuzz.example.com/v1","kind":"Thing","metadata":${metadata(random, name)},"spec":${specOf(random)}}`
    : `apiVersion: fuzz.example.com/v1\nkind: Thing\nmetadata: {name: ${name}}\nspec: ${specOf(random)}\n`;
  return body;
}
