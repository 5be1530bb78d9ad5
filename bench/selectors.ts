import type { JsonObject, SelectorOptions } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const objects = 100_000;
const few = 1_000;
const wanted = 10;
const fields = 8;
const group = 'bench.example.com';
const text: JsonObject = { type: 'string' };
const names = Array.from({ length: fields }, (_, at) => `field${at}`);

/** Items with eight selectable fields, and plain ones with the same schema and none. */
function crd(plural: string, kind: string, selectable: boolean): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  const selectableFields = names.map((name) => ({ jsonPath: `.spec.${name}` }));
  const spec = { type: 'object', properties: { ...properties, note: text } };
  return crdOf(kind, {
    plural,
    group,
    versions: [versionOf({ spec }, selectable ? { selectableFields } : {})],
  });
}

const crds = [crd('items', 'Item', true), crd('plains', 'Plain', false)];
const pathOf = (plural: string) => `/apis/${group}/v1/namespaces/default/${plural}`;
const json = { 'content-type': 'application/json' };

/**
 * Ten of all have the rare value of field0; two of them the common value of field1 as well; field2 to field7 have a
 * value of their own in each object, as names and addresses have.
 */
function item(at: number, count: number, kind = 'Item'): JsonObject {
  const step = Math.floor(count / wanted);
  const rare = at % step === 0;
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: `item-${at}`, labels: { tier: at % 3 === 0 ? 'front' : 'back' } },
    spec: {
      ...Object.fromEntries(names.map((name) => [name, `${name}-value-${at}`])),
      field0: rare ? 'rare' : 'common',
      field1: at % 2 === 0 ? 'even' : 'odd',
      note: 'x'.repeat(400),
    },
  };
}

async function send(server: IlkServer, method: string, path: string, body?: object): Promise<string> {
  const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  const answer = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${answer}`);
  return answer;
}

async function filled(selectors: Partial<SelectorOptions>, count: number): Promise<IlkServer> {
  const server = await startServer({ crds, selectors, listen: false });
  let next = 0;
  const worker = async () => {
    while (next < count) await send(server, 'POST', pathOf('items'), item(next++, count));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return server;
}

async function timedUs(count: number, once: (index: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await once(index);
  return ((performance.now() - started) * 1_000) / count;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const list = (server: IlkServer, query: string) =>
  send(server, 'GET', `${pathOf('items')}?${query}`).then((answer) => {
    const { length } = JSON.parse(answer).items;
    if (length === 0 || length > wanted) throw new Error(`${length} items for ${query}`);
  });

const byField = 'fieldSelector=spec.field0%3Drare';
const byMore = `fieldSelector=spec.field0%3Drare,spec.field1%3Deven&labelSelector=tier%3Dfront`;

async function lists(print: (line: string) => void): Promise<void> {
  const [indexed, small] = [await filled({}, objects), await filled({}, few)];
  const scanning = await filled({ indexes: false }, objects);
  print('| list of at most 10 | scan | index | ratio |\n|---|---|---|---|');
  for (const [what, query] of [
    ['by a field', byField],
    ['by two fields and a label', byMore],
  ] as const) {
    // What is made on first use is made.
    for (const server of [indexed, small, scanning]) await list(server, query);
    const scan = median(await rounds(3, () => timedUs(1, () => list(scanning, query))));
    const index = median(await rounds(5, () => timedUs(200, () => list(indexed, query))));
    const least = median(await rounds(5, () => timedUs(200, () => list(small, query))));
    print(`| ${what} | ${scan.toFixed(0)} us | ${index.toFixed(0)} us | ${(scan / index).toFixed(0)} x |`);
    print(
      `| the same of 1,000 objects | ${least.toFixed(0)} us | ${index.toFixed(0)} us | ${(index / least).toFixed(2)} x |`,
    );
  }
  for (const server of [indexed, small, scanning]) await server.close();
}

async function rounds(count: number, measure: () => Promise<number>): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < count; round += 1) measured.push(await measure());
  return measured;
}

const itemOf = (value: number, note = '') => ({
  ...item(value, objects),
  spec: { field0: `value-${value}`, note },
});

/** Opens watches, each on a value of its own, that read all the time. */
async function watchEach(server: IlkServer, watchers: number): Promise<() => number> {
  let events = 0;
  const follow = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
    for (;;) {
      const { done } = await reader.read();
      if (done) return;
      events += 1;
    }
  };
  const { metadata } = JSON.parse(await send(server, 'GET', `${pathOf('items')}?limit=1`));
  for (let at = 0; at < watchers; at += 1) {
    const query = `watch=1&resourceVersion=${metadata.resourceVersion}&fieldSelector=spec.field0%3Dvalue-${at}`;
    const { body } = await server.fetch(`${pathOf('items')}?${query}`);
    if (body === null) throw new Error('no stream');
    void follow(body.getReader());
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  return () => events;
}

/** CPU of one update and its event, with a number of watches. */
async function eventUs(
  selectors: Partial<SelectorOptions>,
  watchers: number,
  updates: number,
): Promise<number> {
  const server = await startServer({ crds, selectors, listen: false });
  for (let at = 0; at < 10; at += 1) await send(server, 'POST', pathOf('items'), itemOf(at));
  const seen = await watchEach(server, watchers);
  const update = async (step: number) => {
    const path = `${pathOf('items')}/item-${step % 10}`;
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    await (await server.fetch(path, { ...init, body: `{"spec":{"note":"${step}"}}` })).arrayBuffer();
    while (seen() < step + 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const warmUp = Math.ceil(updates / 5);
  for (let step = 0; step < warmUp; step += 1) await update(step);
  const started = process.cpuUsage();
  for (let step = 0; step < updates; step += 1) await update(warmUp + step);
  const { user, system } = process.cpuUsage(started);
  await server.close();
  return (user + system) / updates;
}

async function watches(print: (line: string) => void): Promise<void> {
  const ten = await eventUs({}, 10, 1_000);
  const many = await eventUs({}, 10_000, 1_000);
  const scanning = await eventUs({ indexes: false }, 10_000, 10);
  print('\n| CPU of an update and its event | floor | ours | ratio |\n|---|---|---|---|');
  print(
    `| 10,000 watchers of other values, against 10 | ${ten.toFixed(0)} us | ${many.toFixed(0)} us | ${(many / ten).toFixed(2)} x |`,
  );
  print(
    `| 10,000 watchers: every one asked, against by index | ${scanning.toFixed(0)} us | ${many.toFixed(0)} us | ${(scanning / many).toFixed(0)} x |`,
  );
}

const writes = 1_500;

/** Creates beside eight indexes that are there, against a kind without any. */
async function writing(print: (line: string) => void): Promise<void> {
  await using server = await startServer({ crds, listen: false });
  for (let at = 0; at < 500; at += 1) {
    await send(server, 'POST', pathOf('items'), item(at, objects));
    await send(server, 'POST', pathOf('plains'), item(at, objects, 'Plain'));
  }
  await indexEach(server);
  await send(server, 'GET', `${pathOf('plains')}?limit=1`);
  let next = 1_000;
  const create = (plural: string, kind: string) => () =>
    timedUs(writes, () => send(server, 'POST', pathOf(plural), item(next++, objects, kind)));
  const [floors, times]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    floors.push(await create('plains', 'Plain')());
    times.push(await create('items', 'Item')());
  }
  const [a, b] = [median(floors), median(times)];
  print('\n| creates | none indexed | 8 fields indexed | rate |\n|---|---|---|---|');
  print(`| one after the other | ${a.toFixed(0)} us | ${b.toFixed(0)} us | ${(a / b).toFixed(2)} x |`);
}

/** Asks by each field once, which makes its index. */
async function indexEach(server: IlkServer): Promise<void> {
  for (const name of names) {
    await send(server, 'GET', `${pathOf('items')}?fieldSelector=spec.${name}%3Dnothing`);
  }
}

function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Two fields of few values, six with one of their own in each object. */
async function memory(print: (line: string) => void): Promise<void> {
  if (globalThis.gc === undefined) return;
  await using server = await filled({}, objects);
  // The live view is there before; what is measured is what indexes add.
  await send(server, 'GET', `${pathOf('items')}?limit=1`);
  const before = heapBytes();
  await indexEach(server);
  const each = (heapBytes() - before) / objects / fields;
  print('\n| memory of 8 indexed fields of 100,000 objects | |\n|---|---|');
  print(`| an object and field | ${each.toFixed(0)} B |`);
}

/** Lists and watches by fields and labels; "scan" is the same server with its indexes off. */
export async function run(print: (line: string) => void): Promise<void> {
  await lists(print);
  await watches(print);
  await writing(print);
  await memory(print);
}
