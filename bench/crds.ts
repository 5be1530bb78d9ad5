import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadAll } from 'js-yaml';
import {
  clone,
  isObject,
  type JsonObject,
  type KubeObject,
  ownObject,
  ownString,
} from '../src/meta/index.ts';
import { startServer } from '../src/server.ts';
import { adminTls, type Served, startIlk } from './http/served.ts';

const kinds = 1_000;
const rounds = 5;
const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A thousand CRDs of a common size: start, memory, the way from a CRD to its first object, OpenAPI. */
export async function run(print: (line: string) => void): Promise<void> {
  const { model, origin } = modelCrd();
  print(`Each CRD is a copy of ${origin}: ${JSON.stringify(model).length} bytes of JSON.\n`);
  const [empty, full] = [temporary(), temporary()];
  try {
    await fill(empty, []);
    await fill(
      full,
      Array.from({ length: kinds }, (_, index) => copyOf(model, index)),
    );
    await starts(print, empty, full);
    await memory(print, empty, full);
    await firstObjects(print, full, model);
    await documents(print, full);
  } finally {
    for (const folder of [empty, full]) rmSync(folder, { recursive: true, force: true });
  }
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'ilk-bench-'));
}

/** The CRD of median size of the corpus, `shared/crds` above this folder or `$ILK_CORPUS`; else one made up. */
function modelCrd(): { readonly model: KubeObject; readonly origin: string } {
  const folder = process.env['ILK_CORPUS'] ?? corpusAbove(process.cwd());
  if (folder === undefined) return { model: madeUp(), origin: 'a definition that is made up' };
  const sized = definitionsUnder(folder).map((crd) => ({ crd, size: JSON.stringify(crd).length }));
  sized.sort((a, b) => a.size - b.size);
  const model = sized[Math.floor(sized.length / 2)]?.crd;
  if (model === undefined) throw new Error(`no definitions in ${folder}`);
  return { model, origin: ownString(ownObject(model, 'metadata') ?? {}, 'name') ?? '' };
}

function corpusAbove(folder: string): string | undefined {
  const candidate = join(folder, 'shared', 'crds');
  if (existsSync(candidate)) return candidate;
  const above = resolve(folder, '..');
  return above === folder ? undefined : corpusAbove(above);
}

function definitionsUnder(folder: string): KubeObject[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return definitionsUnder(path);
    if (!/\.ya?ml$/.test(name)) return [];
    const text = readFileSync(path, 'utf8');
    if (!/^kind: CustomResourceDefinition$/m.test(text)) return [];
    const documents: unknown = JSON.parse(JSON.stringify(loadAll(text)));
    const objects = Array.isArray(documents) ? documents.filter(isObject) : [];
    return objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  });
}

/** As large as the median of the corpus was when this was written: 16 KB, 300 nodes. */
function madeUp(): KubeObject {
  const field = (index: number) => ({
    type: 'object',
    description: `What a controller makes of part ${index} of the object. ${'It is explained at length. '.repeat(3)}`,
    properties: { name: { type: 'string', maxLength: 63 }, count: { type: 'integer', minimum: 0 } },
  });
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field${i}`, field(i)]));
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: '' },
    spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] },
  };
}

/** Ten kinds to a group; each schema has a description of its own, so that no two are equal. */
function copyOf(model: KubeObject, index: number): KubeObject {
  const crd = clone(model);
  const spec = ownObject(crd, 'spec') ?? {};
  const group = `g${Math.floor(index / 10)}.bench.example.com`;
  const plural = `kind${index}s`;
  for (const version of Array.isArray(spec['versions']) ? spec['versions'] : []) {
    const schema = isObject(version) ? ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') : {};
    if (schema !== undefined) schema['description'] = `Kind ${index}.`;
  }
  const names = { plural, singular: `kind${index}`, kind: `Kind${index}`, listKind: `Kind${index}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { ...spec, group, names, scope: 'Namespaced' },
  };
}

function placeOf(index: number, version: string): { readonly path: string; readonly document: string } {
  const api = `apis/g${Math.floor(index / 10)}.bench.example.com/${version}`;
  return { path: `/${api}/namespaces/default/kind${index}s`, document: `/openapi/v3/${api}` };
}

function versionOf(crd: KubeObject): string {
  const versions = ownObject(crd, 'spec')?.['versions'];
  const [first] = Array.isArray(versions) ? versions : [];
  return isObject(first) ? (ownString(first, 'name') ?? '') : '';
}

async function fill(dataDir: string, crds: readonly KubeObject[]): Promise<void> {
  const server = await startServer({ storage: { kind: 'sqlite', dataDir }, listen: false, crds });
  await server.close();
  // The certificates are made by the first start.
  await (await startIlk(dataDir)).stop();
}

async function starts(print: (line: string) => void, empty: string, full: string): Promise<void> {
  const times: Record<string, number[]> = { [empty]: [], [full]: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const dataDir of [empty, full]) {
      const began = performance.now();
      const server = await startIlk(dataDir);
      times[dataDir]?.push(performance.now() - began);
      await server.stop();
    }
  }
  const [none, all] = [median(times[empty] ?? []), median(times[full] ?? [])];
  print('| spawn to ready | time | ratio |\n|---|---|---|');
  print(`| no CRDs | ${none.toFixed(0)} ms | |`);
  print(`| ${kinds} CRDs | ${all.toFixed(0)} ms | ${(all / none).toFixed(1)} x |\n`);
}

async function memory(print: (line: string) => void, empty: string, full: string): Promise<void> {
  const without = await startIlk(empty);
  await sleep(3_000);
  const base = residentBytes(without);
  await without.stop();
  const server = await startIlk(full);
  const client = new Client(server.port, full);
  const perKind = (bytes: number) => `${((bytes - base) / kinds / 1e6).toFixed(3)} MB`;
  const row = (what: string) => {
    const bytes = residentBytes(server);
    print(`| ${what} | ${(bytes / 1e6).toFixed(0)} MB | ${perKind(bytes)} |`);
  };
  try {
    print('| whole process | resident | for each CRD |\n|---|---|---|');
    print(`| no CRDs | ${(base / 1e6).toFixed(0)} MB | |`);
    await sleep(3_000);
    row(`${kinds} CRDs, a few seconds after the start`);
    const version = await firstVersion(client);
    for (let index = 0; index < kinds; index += 1) await client.get(placeOf(index, version).path);
    await sleep(3_000);
    row('each listed once');
    for (let index = 0; index < kinds; index += 1) {
      await client.send('POST', placeOf(index, version).path, instance(index, version));
    }
    await sleep(3_000);
    row('an object created of each');
  } finally {
    client.close();
    await server.stop();
  }
}

function instance(index: number, version: string): JsonObject {
  return {
    apiVersion: `g${Math.floor(index / 10)}.bench.example.com/${version}`,
    kind: `Kind${index}`,
    metadata: { name: 'one' },
    spec: {},
  };
}

async function firstVersion(client: Client): Promise<string> {
  const { body } = await client.get('/apis/g0.bench.example.com');
  return JSON.parse(body.toString()).preferredVersion.version;
}

/** Over TLS with every write on disk: from the request for the CRD to the answer that its first object was created. */
async function firstObjects(
  print: (line: string) => void,
  dataDir: string,
  model: KubeObject,
): Promise<void> {
  const server = await startIlk(dataDir);
  const client = new Client(server.port, dataDir);
  const version = versionOf(model);
  const [all, attempts]: [number[], number[]] = [[], []];
  try {
    for (let index = kinds; index < kinds + 60; index += 1) {
      const began = performance.now();
      const { code, body } = await client.send('POST', crdsPath, copyOf(model, index));
      if (code !== 201) throw new Error(`POST of a CRD: ${code} ${body.toString()}`);
      let tries = 1;
      while ((await created(client, index, version)) !== 201) tries += 1;
      attempts.push(tries);
      all.push(performance.now() - began);
    }
  } finally {
    client.close();
    await server.stop();
  }
  print(
    '\n| CRD created to first object created, with 1,000 other CRDs | median | worst | requests |\n|---|---|---|---|',
  );
  print(
    `| over TLS, on disk | ${median(all).toFixed(1)} ms | ${Math.max(...all).toFixed(1)} ms | ${median(attempts)} |`,
  );
}

async function created(client: Client, index: number, version: string): Promise<number> {
  const { code, body } = await client.send('POST', placeOf(index, version).path, instance(index, version));
  if (code !== 201 && code !== 404 && code !== 422) throw new Error(`POST: ${code} ${body.toString()}`);
  return code === 422 ? 201 : code;
}

async function documents(print: (line: string) => void, dataDir: string): Promise<void> {
  const server = await startIlk(dataDir);
  const client = new Client(server.port, dataDir);
  const timed = async (path: string) => {
    const began = performance.now();
    const { code, body } = await client.get(path);
    if (code !== 200) throw new Error(`GET ${path}: ${code}`);
    return { ms: performance.now() - began, bytes: body.length };
  };
  try {
    const version = await firstVersion(client);
    const paths = Array.from({ length: 50 }, (_, index) => placeOf(index * 10, version).document);
    const [first, second] = [[], []] as [number[], number[]];
    let bytes = 0;
    for (const path of paths) {
      const one = await timed(path);
      bytes = one.bytes;
      first.push(one.ms);
      second.push((await timed(path)).ms);
    }
    print('\n| document | size | first | second |\n|---|---|---|---|');
    const row = (name: string, size: number, [a, b]: readonly [number, number]) =>
      print(`| ${name} | ${(size / 1e3).toFixed(0)} KB | ${a.toFixed(1)} ms | ${b.toFixed(1)} ms |`);
    row('/openapi/v3/apis/&lt;group&gt;/&lt;version&gt; of 10 kinds', bytes, [median(first), median(second)]);
    for (const path of ['/openapi/v3', '/openapi/v2']) {
      const once = await timed(path);
      row(`${path} of ${kinds} kinds`, once.bytes, [once.ms, (await timed(path)).ms]);
    }
    await sleep(1_000);
    print(`\nAfter these documents the process has ${(residentBytes(server) / 1e6).toFixed(0)} MB.`);
  } finally {
    client.close();
    await server.stop();
  }
}

/** One connection that is kept. */
class Client {
  readonly #options: { readonly host: string; readonly port: number; readonly agent: Agent };

  constructor(port: number, dataDir: string) {
    const agent = new Agent({ ...adminTls(dataDir), keepAlive: true, maxSockets: 1 });
    this.#options = { host: '127.0.0.1', port, agent };
  }

  get(path: string): Promise<{ readonly code: number; readonly body: Buffer }> {
    return this.send('GET', path);
  }

  send(
    method: string,
    path: string,
    value?: object,
  ): Promise<{ readonly code: number; readonly body: Buffer }> {
    const headers = { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#options, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      sent.on('error', reject);
      sent.end(value === undefined ? undefined : JSON.stringify(value));
    });
  }

  close(): void {
    this.#options.agent.destroy();
  }
}

/** What the system says the process has in memory; Linux only. */
function residentBytes({ child }: Served): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return Number(kb) * 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
