import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { encodeJson } from '../../codec/index.ts';
import {
  defaultFeatureGates,
  defaultSelectorOptions,
  type JsonObject,
  ownList,
  ownObject,
  type StatusError,
  systemClock,
  systemTimers,
} from '../../meta/index.ts';
import { RuleEnvironments } from '../../schema/index.ts';
import {
  createMemoryStore,
  type KeyRange,
  type Store,
  StoreError,
  type StoreWatch,
  type WatchMessage,
  type WatchOptions,
} from '../../storage/index.ts';
import { AddressRange, builtInKinds, crdKind } from '../../kinds/index.ts';
import { LiveCatalog } from '../index.ts';

const crds = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
const gates = defaultFeatureGates();
const rules = new RuleEnvironments({ major: 1, minor: 30 });

/** A memory store whose watches can be interrupted, as by a network failure; meanwhile new watches fail at once. */
class CutOffStore implements Store {
  readonly tellsTrueProgress = true;
  readonly #store = createMemoryStore();
  #cut = new AbortController();
  /** The number of revision requests. */
  asked = 0;

  cutOff(): void {
    this.#cut.abort();
  }

  mend(): void {
    this.#cut = new AbortController();
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    const inner = this.#store.watch(range, options);
    const { signal } = this.#cut;
    signal.addEventListener('abort', () => inner.close());
    return {
      requestProgress: () => inner.requestProgress(),
      close: () => inner.close(),
      async *[Symbol.asyncIterator](): AsyncGenerator<WatchMessage> {
        if (!signal.aborted) for await (const message of inner) yield message;
        if (signal.aborted) throw new StoreError('unavailable', 'the network is gone');
      },
    };
  }

  revision = () => {
    this.asked += 1;
    return this.#store.revision();
  };
  get: Store['get'] = (...options) => this.#store.get(...options);
  list: Store['list'] = (...options) => this.#store.list(...options);
  commit: Store['commit'] = (commit) => this.#store.commit(commit);
  compact = (revision: number) => this.#store.compact(revision);
  compactRevision = () => this.#store.compactRevision();
  close = () => this.#store.close();
}

/** A stored CRD after it was established: `apples.example.com`. */
function established(
  plural: string,
  { uid = plural, generation = 1, schema }: Partial<Made> = {},
): JsonObject {
  const names = { plural, singular: plural, kind: plural, listKind: `${plural}List` };
  const openAPIV3Schema = schema ?? { type: 'object' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const yes = (type: string) => ({ type, status: 'True', reason: '', message: '' });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com`, uid, generation },
    spec: { group: 'example.com', scope: 'Cluster', names, versions },
    status: { acceptedNames: names, conditions: [yes('NamesAccepted'), yes('Established')] },
  };
}

interface Made {
  readonly uid: string;
  readonly generation: number;
  readonly schema: JsonObject;
}

async function write(store: Store, plural: string, crd: JsonObject | null): Promise<number> {
  const key = `${crds}${plural}.example.com`;
  const { record } = await store.get(key);
  const value = crd && encodeJson(crd);
  const result = await store.commit({ key, value, expect: record?.modRevision ?? 0 });
  if (!result.ok) throw new Error('somebody else wrote');
  return result.revision;
}

const open: LiveCatalog[] = [];
afterEach(() => Promise.all(open.splice(0).map((catalog) => catalog.close())));

async function startCatalog(store: Store, { shared = false } = {}) {
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown) => void troubles.push(error);
  const kinds = {
    builtIn: builtInKinds({ serviceRange: new AddressRange('10.96.0.0/12'), rules }),
    crdKind: crdKind({ gates, rules, selectors: defaultSelectorOptions }),
  };
  const parts = { clock: systemClock, timers: systemTimers, selectors: defaultSelectorOptions };
  const connectConversion = () => {
    throw new Error('no CRD here has a webhook');
  };
  const catalog = new LiveCatalog({
    store,
    ...parts,
    gates,
    rules,
    connectConversion,
    onTrouble,
    shared,
    ...kinds,
  });
  open.push(catalog);
  await catalog.start();
  return { catalog, troubles };
}

/** The plurals that are served in the test group. */
function served(catalog: LiveCatalog): string[] {
  const { current } = catalog;
  return current.resources
    .filter(({ type }) => type.group === 'example.com')
    .map(({ type }) => type.resource)
    .filter((resource) => current.find('example.com', 'v1', resource) !== undefined);
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 1) {
    if (waited > 1_000) throw new Error('waited for nothing');
    await sleep(5);
  }
}

test('shows what is stored, and every change of it', async () => {
  const store = createMemoryStore();
  await write(store, 'apples', established('apples'));
  const { catalog, troubles } = await startCatalog(store);
  expect(served(catalog)).toEqual(['apples']);
  await write(store, 'pears', established('pears'));
  expect((await catalog.latest()).catalog.find('example.com', 'v1', 'pears')?.type.kind).toBe('pears');
  await write(store, 'apples', null);
  await catalog.latest();
  expect(served(catalog)).toEqual(['pears']);
  expect(troubles).toEqual([]);
});

test('compacted changes during a disconnect are found: created, changed, deleted, recreated', async () => {
  const store = new CutOffStore();
  for (const plural of ['apples', 'pears', 'plums']) await write(store, plural, established(plural));
  const { catalog, troubles } = await startCatalog(store);
  const { current } = catalog;
  const before = (plural: string) => current.find('example.com', 'v1', plural);
  store.cutOff();
  await write(store, 'apples', null);
  await write(store, 'pears', established('pears', { generation: 2 }));
  await write(store, 'plums', null);
  await write(store, 'plums', established('plums', { uid: 'another' }));
  await store.compact(await write(store, 'figs', established('figs')));
  store.mend();
  await until(() => served(catalog).includes('figs'));

  expect(served(catalog).sort()).toEqual(['figs', 'pears', 'plums']);
  expect(before('apples')?.changes.signal.aborted).toBe(true);
  expect(before('pears')?.changes.signal.aborted).toBe(true);
  expect(before('plums')?.changes.signal.aborted).toBe(true);
  const { current: now } = catalog;
  expect(now.find('example.com', 'v1', 'pears')?.resource).toBe(before('pears')?.resource);
  expect(now.find('example.com', 'v1', 'plums')?.resource).not.toBe(before('plums')?.resource);
  expect(troubles).toMatchObject([{ name: 'ViewError', code: 'expired' }]);
  await write(store, 'dates', established('dates'));
  expect((await catalog.latest()).catalog.find('example.com', 'v1', 'dates')).toBeDefined();
});

test('cached, on shared storage: it asks the storage nothing, and is at least as new as a revision', async () => {
  const store = new CutOffStore();
  const { catalog } = await startCatalog(store, { shared: true });
  const names = async (revision: number) => {
    await catalog.atLeast(revision);
    return served(catalog);
  };
  await catalog.latest();
  const asked = store.asked;
  const apples = await write(store, 'apples', established('apples'));
  expect(await names(apples)).toEqual(['apples']);
  store.cutOff();
  const pears = await write(store, 'pears', established('pears'));
  expect([await names(0), await names(apples)]).toEqual([['apples'], ['apples']]);
  // It does not wait long.
  expect(await names(pears)).toEqual(['apples']);
  store.mend();
  await until(() => served(catalog).includes('pears'));
  expect(store.asked).toBe(asked);
});

test('cached, on storage of one server: it is the latest', async () => {
  const store = createMemoryStore();
  const { catalog } = await startCatalog(store);
  await write(store, 'apples', established('apples'));
  expect((await catalog.atLeast(0)).find('example.com', 'v1', 'apples')).toBeDefined();
});

test('waiting requests are refused when it closes', async () => {
  const store = new CutOffStore();
  const { catalog } = await startCatalog(store);
  store.cutOff();
  await write(store, 'apples', established('apples'));
  const waiting = catalog.latest().catch((error: StatusError) => error);
  await sleep(20);
  await catalog.close();
  expect(await waiting).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  expect(await catalog.latest().catch((error: StatusError) => error)).toMatchObject({ code: 503 });
});

test('requests that wait while it resumes are refused as well', async () => {
  const store = new CutOffStore();
  const { catalog, troubles } = await startCatalog(store);
  store.cutOff();
  await write(store, 'apples', established('apples'));
  await store.compact(await write(store, 'pears', established('pears')));
  store.mend();
  while (troubles.length === 0) await nextTurn();
  const waiting = catalog.latest().catch((error: StatusError) => error);
  await nextTurn();
  await catalog.close();
  expect(await waiting).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
});

test('requests that wait too long get a retry', async () => {
  const store = new CutOffStore();
  const { catalog } = await startCatalog(store);
  store.cutOff();
  await write(store, 'apples', established('apples'));
  const refusal = await catalog.latest().catch((error: StatusError) => error);
  expect(refusal).toMatchObject({ code: 504, reason: 'Timeout' });
}, 10_000);

test('the types of selectable fields are those of the schema', async () => {
  const store = createMemoryStore();
  const schema = { type: 'object', properties: { count: { type: 'integer' }, color: { type: 'string' } } };
  const crd = established('apples', { schema });
  const [version = {}] = ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? [];
  Object.assign(version ?? {}, { selectableFields: [{ jsonPath: '.count' }, { jsonPath: '.color' }] });
  await write(store, 'apples', crd);
  const { catalog } = await startCatalog(store);
  expect(catalog.current.find('example.com', 'v1', 'apples')?.version.selectableFields).toEqual([
    { fieldPath: 'count', valueType: 'integer', mayDefault: false },
    { fieldPath: 'color', valueType: 'string', mayDefault: false },
  ]);
});

test('conditions that mean nothing to it change nothing', async () => {
  const store = createMemoryStore();
  await write(store, 'apples', established('apples'));
  const { catalog } = await startCatalog(store);
  const { current } = catalog;
  const labelled = established('apples');
  await write(store, 'apples', {
    ...labelled,
    metadata: { ...Object(labelled['metadata']), labels: { a: 'b' } },
  });
  expect((await catalog.latest()).catalog).toBe(current);
});

test('an unreadable schema removes its CRD at the first use', async () => {
  const store = createMemoryStore();
  const schema = { type: 'object', properties: 'none' };
  await write(store, 'apples', established('apples', { schema }));
  await write(store, 'pears', established('pears'));
  const { catalog, troubles } = await startCatalog(store);
  const found = catalog.current.find('example.com', 'v1', 'apples');
  expect(() => found?.version.schema()).toThrow('cannot unmarshal string into Go struct field');
  expect(served(catalog)).toEqual(['pears']);
  expect(troubles.map(String)).toEqual([expect.stringContaining('cannot unmarshal string')]);
});

test('an object that is not a CRD is reported, and the others are served', async () => {
  const store = createMemoryStore();
  await write(store, 'apples', { metadata: { name: 'apples.example.com' }, spec: 'none' });
  await write(store, 'pears', established('pears'));
  const { catalog, troubles } = await startCatalog(store);
  expect(served(catalog)).toEqual(['pears']);
  expect(troubles).toHaveLength(1);
});
