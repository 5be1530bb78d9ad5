import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadObjects } from '../src/manifests/index.ts';
import { type KubeObject, nameOf, ownString } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf } from '../test/fixtures/crd.ts';

const crdsMax = 20;
const objects = 1_000;
const rounds = 20;
const collection = '/apis/bench.example.com/v1/namespaces/default/widgets';
const headers = { 'content-type': 'application/json' };

/** Any object may stand in it, so that it costs no validation. */
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function crdWithSchema(plural: string, schema: KubeObject): KubeObject {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`;
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return crdOf(kind, { plural, group: 'bench.example.com', versions: [version] });
}

const widgetCrd = crdWithSchema('widgets', { type: 'object', properties: { spec: open } });

function widget(name: string): string {
  const spec = { text: 'x'.repeat(300) };
  return JSON.stringify({ apiVersion: 'bench.example.com/v1', kind: 'Widget', metadata: { name }, spec });
}

/** Evenly spaced definitions of the corpus by name, and the one of the benchmark: 20. Without a corpus, generated ones. */
async function definitions(): Promise<{ crds: KubeObject[]; what: string }> {
  const folder = process.env['ILK_CORPUS'] ?? join(process.cwd(), '..', 'shared', 'crds');
  const found = await corpusOf(folder).catch(() => []);
  const step = Math.floor(found.length / crdsMax);
  const some = found.filter((_, index) => step > 0 && index % step === 0).slice(0, crdsMax - 1);
  if (some.length === crdsMax - 1) return { crds: [...some, widgetCrd], what: 'of the corpus' };
  const made = Array.from({ length: crdsMax - 1 }, (_, index) => crdWithSchema(`made${index}s`, wideSchema));
  return { crds: [...made, widgetCrd], what: 'made up (set ILK_CORPUS for real ones)' };
}

const wideSchema: KubeObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 200 }, (_, field) => [`field${field}`, { type: 'string', maxLength: 100 }]),
      ),
    },
  },
};

async function corpusOf(folder: string): Promise<KubeObject[]> {
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  const byName = new Map<string, KubeObject>();
  for (const name of names) {
    if (!/\.ya?ml$/.test(name) || name.includes('test')) continue;
    for (const { object } of await loadObjects(join(folder, name)).catch(() => [])) {
      if (ownString(object, 'kind') === 'CustomResourceDefinition') byName.set(nameOf(object), object);
    }
  }
  return [...byName.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function expectStatus(answer: Promise<Response>, status: number): Promise<void> {
  const response = await answer;
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status}: ${text.slice(0, 200)}`);
}

const create = (server: IlkServer, name: string) =>
  expectStatus(server.fetch(collection, { method: 'POST', headers, body: widget(name) }), 201);

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** How long something takes, round for round, in milliseconds; `undo` is not counted. */
async function time<T>(times: number, what: () => Promise<T>, undo: (made: T) => Promise<void>) {
  const ms: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const started = performance.now();
    const made = await what();
    ms.push(performance.now() - started);
    await undo(made);
  }
  return ms;
}

const close = (server: IlkServer) => server.close();

/** The time to the first response, of a fork and of a new server with the same objects. */
export async function run(print: (line: string) => void): Promise<void> {
  const { crds, what } = await definitions();
  const kilobytes = Math.round(JSON.stringify(crds).length / 1024);
  const start = async () => {
    const server = await startServer({ crds, listen: false });
    await create(server, 'first');
    return server;
  };
  const starts = await time(5, start, close);
  await using server = await start();
  const filling = performance.now();
  for (let count = 0; count < objects; count += 1) await create(server, `w${count}`);
  const fillMs = performance.now() - filling;
  const forkAndAsk = (listen: boolean) => async () => {
    const fork = await server.fork(listen ? { listen: { host: '127.0.0.1', port: 0, tls: false } } : {});
    await expectStatus(fork.fetch(`${collection}/w7`), 200);
    return fork;
  };
  const silent = await time(rounds, forkAndAsk(false), close);
  const listening = await time(rounds, forkAndAsk(true), close);
  const closing = await time(
    rounds,
    async () => (await server.fork()).close(),
    async () => {},
  );
  const anew = median(starts) + fillMs;
  print(`${crds.length} CRDs ${what}, ${kilobytes} KB; ${objects} objects\n`);
  print('| until the first request is answered | time | times a fork |\n|---|---|---|');
  const row = (name: string, ms: number) =>
    print(`| ${name} | ${ms.toFixed(2)} ms | ${(ms / median(silent)).toFixed(1)} |`);
  row('startServer() with the CRDs, first custom resource created: first in the process', starts[0] ?? 0);
  row('the same, median of the next four', median(starts.slice(1)));
  row('the same, with the objects created', anew);
  row('fork without a port, one object read', median(silent));
  row('fork with a port, one object read', median(listening));
  row('fork and close, nothing asked', median(closing));
}
