import { keys } from '../json-text.ts';
import type { Random } from '../random.ts';
import type { FuzzTarget } from '../target.ts';
import { prepareThings, thingsPath } from '../things.ts';

const operators: readonly string[] = ['=', '==', '!=', ' in ', ' notin ', '>', '<', '!', '', ',', '=='];
const names: readonly string[] = [
  ...[
    'spec.text',
    'spec.count',
    'metadata.name',
    'metadata.namespace',
    'spec.nothing',
    'soil',
    'a.b/c',
    '!soil',
  ],
  ...['a/b/c', '-', 'x'.repeat(300)],
];
const values: readonly string[] = ['t1', '1', '(a,b)', '()', '(', '"', '\\', '\\,', 'a=b', '', ...keys];

const versions: readonly string[] = ['', '0', '1', '5', '-1', 'x', '1.0', '%00'];
/** The server waits for these for seconds, as upstream does. */
const farVersions: readonly string[] = ['18446744073709551615', '9'.repeat(50), '100000000'];

const parameters: readonly ((random: Random, token: string) => string)[] = [
  (random) => `labelSelector=${encoded(selector(random))}`,
  (random) => `fieldSelector=${encoded(selector(random))}`,
  (random) => `resourceVersion=${random.chance(0.02) ? random.pick(farVersions) : random.pick(versions)}`,
  (random) => `resourceVersionMatch=${random.pick(['Exact', 'NotOlderThan', 'x', ''])}`,
  (random) => `limit=${random.pick(['1', '0', '-1', '500', 'x', '99999999999999999999', '1e3'])}`,
  (random) => `timeoutSeconds=${random.pick(['0', '1', '-1', 'x', '99999999999', '1.5'])}`,
  (random) => `watch=${random.pick(['1', 'true', 'false', 'x'])}&timeoutSeconds=1`,
  (random) => `sendInitialEvents=${random.pick(['true', 'false', 'x'])}`,
  (random) => `allowWatchBookmarks=${random.pick(['true', 'x'])}`,
  (random) => `pretty=${random.pick(['true', 'x'])}`,
  (random, token) => `continue=${encoded(random.chance(0.3) ? token : damagedToken(random, token))}`,
];

function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function selector(random: Random): string {
  const part = () => `${random.pick(names)}${random.pick(operators)}${random.pick(values)}`;
  const made = [part(), ...random.some(3, part)].join(random.pick([',', ',', ', ', ';']));
  if (random.chance(0.02)) return Array.from({ length: 5_000 }, () => 'a=b').join(',');
  return random.chance(0.2) ? random.damaged(Buffer.from(made)).toString() : made;
}

/** Tokens are base64 of JSON: damaged in either form. */
function damagedToken(random: Random, token: string): string {
  if (random.chance(0.4)) return random.damaged(Buffer.from(token)).toString('latin1');
  const inside = random.damaged(Buffer.from(token, 'base64'));
  const other = random.pick([
    inside,
    Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"../../x\\u0000"}'),
    Buffer.from('[]'),
    random.bytes(20),
  ]);
  return other.toString(random.pick(['base64', 'base64url']));
}

/** Queries of lists, watches and deletes of collections: selectors, versions, limits and continue tokens. */
export const selectors: FuzzTarget = {
  name: 'selectors',
  shortCases: 500,
  prepare: prepareThings,
  run: async (random, send) => {
    const page = await send({ method: 'GET', path: `${thingsPath}?limit=1` });
    const token = /"continue":"([^"]*)"/.exec(page.text)?.[1] ?? '';
    const query = [random.pick(parameters), ...random.some(3, () => random.pick(parameters))]
      .map((parameter) => parameter(random, token))
      .join('&');
    const path = random.pick([
      thingsPath,
      thingsPath,
      '/apis/fuzz.example.com/v1/things',
      '/api/v1/configmaps',
      `${thingsPath}/t1`,
      '/api/v1/namespaces',
    ]);
    const accept = random.pick([
      'application/json',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    ]);
    await send({ method: 'GET', path: `${path}?${query}`, accept });
  },
};
