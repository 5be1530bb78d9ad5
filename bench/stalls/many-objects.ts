import { type ClientHttp2Session, connect } from 'node:http2';
import { adminTls } from '../http/served.ts';
import type { Call } from './calls.ts';
import type { CaseParts, StallCase } from './stall-case.ts';
import { crdOf, versionOf } from '../../test/fixtures/crd.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const objects = 20_000;
const crdCount = 500;
const watchers = 10_000;
const watchesPerSession = 500;

/** Makes requests, 64 at a time. */
async function each({ call }: CaseParts, count: number, make: (index: number) => Call): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: 64 }, async () => {
    while (next < count) await call(make(next++));
  });
  await Promise.all(lanes);
}

const small = (name: string, more: object = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: name }, ...more },
    data: { text: 'x'.repeat(400) },
  });

/** The objects that lists are about. */
const fill = (parts: CaseParts) =>
  each(parts, objects, (index) => ({ method: 'POST', path: configMaps, body: small(`a-${index}`) }));

function listing(name: string, query: string, accept?: string): StallCase {
  const path = `${configMaps}${query}`;
  return {
    name: `list of ${objects}: ${name}`,
    rounds: 3,
    run: async ({ call }) => {
      await call(accept === undefined ? { path } : { path, accept });
    },
  };
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';

const plain: StallCase = {
  ...listing('plain', ''),
  setUp: fill,
};

const crdNamed = (index: number) => {
  const field = {
    type: 'string',
    description: 'What this field is about, in a sentence of the usual length.',
  };
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, field]));
  const versions = [versionOf({ spec: { type: 'object', properties } })];
  return JSON.stringify(crdOf(`Bulk${index}`, { group: 'bulk.example.com', versions }));
};

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Asks for a document that has just become another one. */
function document(name: string, path: string, accept?: string): StallCase {
  return {
    name: `${name} with ${crdCount} CRDs, first time`,
    rounds: 3,
    run: async ({ call }) => {
      await call(accept === undefined ? { path } : { path, accept });
    },
    restore: async (parts, round) => {
      const index = 10_000 + Math.floor(Math.random() * 1e9) + round;
      await parts.call({ method: 'POST', path: crds, body: crdNamed(index) });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    },
  };
}

let frames = 0;
let opened: readonly ClientHttp2Session[] = [];

const fanOut: StallCase = {
  name: `an event for ${watchers} watchers`,
  setUp: async (parts) => {
    await parts.call({ method: 'POST', path: configMaps, body: small('watched') });
    const sessions = Array.from({ length: watchers / watchesPerSession }, () =>
      connect(`https://127.0.0.1:${parts.port}`, adminTls(parts.dataDir)),
    );
    for (const session of sessions) await openWatches(session);
    opened = sessions;
  },
  run: async ({ call }, round) => {
    const before = frames;
    const body = JSON.stringify({ data: { round: `${round}-${Math.random()}` } });
    const type = 'application/merge-patch+json';
    await call({ method: 'PATCH', path: `${configMaps}/watched`, type, body });
    while (frames < before + watchers) await new Promise((resolve) => setTimeout(resolve, 10));
  },
  tearDown: async () => {
    for (const session of opened) session.destroy();
  },
};

async function openWatches(session: ClientHttp2Session): Promise<void> {
  const path = `${configMaps}?watch=1&fieldSelector=metadata.name=watched&resourceVersion=0`;
  const open = Array.from({ length: watchesPerSession }, () => {
    const stream = session.request({ ':path': path });
    stream.on('data', () => {
      frames += 1;
    });
    return new Promise((resolve) => stream.once('data', resolve));
  });
  await Promise.all(open);
}

const collected: StallCase = {
  name: 'an owner of 10,000 objects is deleted, and they are collected',
  rounds: 1,
  setUp: async (parts) => {
    const { text } = await parts.call({ method: 'POST', path: configMaps, body: small('owner') });
    const { uid } = JSON.parse(text).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await each(parts, 10_000, (index) => ({
      method: 'POST',
      path: configMaps,
      body: small(`owned-${index}`, { ownerReferences }),
    }));
  },
  run: async ({ call }) => {
    await call({ method: 'DELETE', path: `${configMaps}/owner` });
    for (;;) {
      const { status } = await call({ path: `${configMaps}/owned-9999`, status: 404 }).catch(() => ({
        status: 0,
      }));
      if (status === 404) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
};

const restarted: StallCase = {
  name: `from a start with ${objects} objects until GC has read them`,
  rounds: 2,
  starts: true,
  run: async () => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  },
};

const cleared: StallCase = {
  name: `deletecollection of ${objects} objects`,
  rounds: 1,
  run: async ({ call }) => {
    await call({ method: 'DELETE', path: configMaps });
  },
};

const installed: StallCase = {
  name: `${crdCount} CRDs are created`,
  rounds: 1,
  run: (parts) => each(parts, crdCount, (index) => ({ method: 'POST', path: crds, body: crdNamed(index) })),
};

const restartedWithCrds: StallCase = {
  name: `from a start with ${crdCount} CRDs`,
  rounds: 2,
  starts: true,
  run: async () => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  },
};

const valueCount = 4_000;
const sortsPath = '/apis/stalls.example.com/v1/sorts';

/** The filter cannot be looked up in an index: it is evaluated for each of the values that there are. */
const filtered: StallCase = {
  name: `list with a filter that is evaluated for ${valueCount} values of a field`,
  setUp: async (parts) => {
    await parts.call({ method: 'POST', path: crds, body: sortCrd });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await each(parts, valueCount, (index) => ({
      method: 'POST',
      path: sortsPath,
      body: JSON.stringify({
        apiVersion: 'stalls.example.com/v1',
        kind: 'Sort',
        metadata: { name: `s${index}` },
        spec: { n: index },
      }),
    }));
  },
  run: async ({ call }, round) => {
    const numbers = Array.from({ length: 250 }, (_, index) => index + round).join(',');
    const filter = encodeURIComponent(`[${numbers}].exists(x, x * 16 == spec.n)`);
    await call({ path: `${sortsPath}?filter=${filter}` });
  },
};

const sortSpec = { type: 'object', properties: { n: { type: 'integer' } } };
const sortCrd = JSON.stringify(
  crdOf('Sort', {
    group: 'stalls.example.com',
    scope: 'Cluster',
    versions: [versionOf({ spec: sortSpec }, { selectableFields: [{ jsonPath: '.spec.n' }] })],
  }),
);

/** Many objects at once. */
export const manyObjects: readonly StallCase[] = [
  plain,
  listing('by a label that all lack', '?labelSelector=app!=b'),
  listing('metadata only', '', metadataOnly),
  listing('Table', '', asTable),
  listing('YAML', '', 'application/yaml'),
  listing('protobuf', '', 'application/vnd.kubernetes.protobuf'),
  listing('pretty', '?pretty=true'),
  filtered,
  restarted,
  fanOut,
  collected,
  cleared,
  installed,
  document('OpenAPI v2', '/openapi/v2'),
  document(
    'OpenAPI v2 in protobuf',
    '/openapi/v2',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ),
  document('OpenAPI v3 index', '/openapi/v3'),
  document('OpenAPI v3 of the group', '/openapi/v3/apis/bulk.example.com/v1'),
  document('discovery', '/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
  restartedWithCrds,
];
