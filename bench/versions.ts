import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeCertificates } from '../src/auth/index.ts';
import type { JsonObject, KubeObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const objects = 10_000;
const rounds = 9;

const text = { type: 'string' };

function crd(plural: string, conversion?: JsonObject): KubeObject {
  const spec = {
    type: 'object',
    properties: { color: text, size: { type: 'integer' }, notes: { type: 'array', items: text } },
  };
  return crdOf(plural, {
    plural,
    group: 'bench.example.com',
    names: { singular: plural.slice(0, -1) },
    versions: [versionOf({ spec }), versionOf({ spec }, { name: 'v2', storage: false })],
    spec: conversion === undefined ? {} : { conversion },
  });
}

/** About 1 KB as it is stored. */
function objectOf(plural: string, version: string, name: string): string {
  return JSON.stringify({
    apiVersion: `bench.example.com/${version}`,
    kind: plural,
    metadata: { name, labels: { app: 'bench' } },
    spec: { color: 'blue', size: 3, notes: Array.from({ length: 8 }, () => 'n'.repeat(60)) },
  });
}

const path = (plural: string, version: string) =>
  `/apis/bench.example.com/${version}/namespaces/default/${plural}`;

async function create(server: IlkServer, plural: string, version: string, names: readonly string[]) {
  for (let start = 0; start < names.length; start += 64) {
    await Promise.all(
      names.slice(start, start + 64).map(async (name) => {
        const body = objectOf(plural, version, name);
        const headers = { 'content-type': 'application/json' };
        const response = await server.fetch(path(plural, version), { method: 'POST', headers, body });
        if (response.status !== 201) throw new Error(await response.text());
        await response.arrayBuffer();
      }),
    );
  }
}

async function listMs(server: IlkServer, plural: string, version: string): Promise<number> {
  const started = performance.now();
  const response = await server.fetch(path(plural, version));
  await response.arrayBuffer();
  return performance.now() - started;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A webhook in a thread of its own that changes the version and nothing else. */
const webhookCode = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer(workerData, (request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const { apiVersion, kind, request: { uid, desiredAPIVersion, objects } } = JSON.parse(Buffer.concat(pieces));
    const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion, kind, response: { uid, convertedObjects, result: { status: 'Success' } } }));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function startWebhook() {
  const { ca, server } = await makeCertificates(['127.0.0.1'], Date.now());
  const workerData = { cert: server.certPem, key: server.keyPem };
  const worker = new Worker(webhookCode, { eval: true, workerData, execArgv: [] });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const clientConfig = {
    url: `https://127.0.0.1:${port}/`,
    caBundle: Buffer.from(ca.certPem).toString('base64'),
  };
  return {
    worker,
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
  };
}

function row(print: (line: string) => void, what: string, floorMs: number, oursMs: number): void {
  const shown = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0));
  print(`| ${what} | ${shown(floorMs)} ms | ${shown(oursMs)} ms | ${(oursMs / floorMs).toFixed(2)} x |`);
}

/** Lists and writes in a version that is not stored, against the one that is; the server runs in this process. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const { worker, conversion } = await startWebhook();
  const storage = { kind: 'sqlite', dataDir: folder } as const;
  const open = () => startServer({ storage, listen: false });
  const names = Array.from({ length: objects }, (_, index) => `o${String(index).padStart(5, '0')}`);
  let server = await startServer({ storage, listen: false, crds: [crd('nones'), crd('hooks', conversion)] });
  try {
    print('| what | storage version | other version | ratio |\n|---|---|---|---|');
    for (const plural of ['nones', 'hooks']) await create(server, plural, 'v1', names);
    for (const plural of ['nones', 'hooks']) {
      const by = plural === 'nones' ? 'None' : 'a webhook';
      const first: Record<string, number[]> = { v1: [], v2: [] };
      for (let round = 0; round < 3; round += 1) {
        for (const version of ['v1', 'v2']) {
          await server.close();
          server = await open();
          // Loads the view: what is measured is the version.
          await (await server.fetch(`${path(plural, 'v1')}?limit=1`)).arrayBuffer();
          first[version]?.push(await listMs(server, plural, version));
        }
      }
      row(
        print,
        `first list of 10,000, converted by ${by}`,
        median(first['v1'] ?? []),
        median(first['v2'] ?? []),
      );
      const again: Record<string, number[]> = { v1: [], v2: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const version of ['v1', 'v2']) again[version]?.push(await listMs(server, plural, version));
      }
      row(
        print,
        `next list of 10,000, converted by ${by}`,
        median(again['v1'] ?? []),
        median(again['v2'] ?? []),
      );
      const creates: Record<string, number[]> = { v1: [], v2: [] };
      for (let round = 0; round < 5; round += 1) {
        for (const version of ['v1', 'v2']) {
          const started = performance.now();
          await create(
            server,
            plural,
            version,
            names.slice(0, 640).map((name) => `${version}-${round}-${name}`),
          );
          creates[version]?.push((performance.now() - started) / 640);
        }
      }
      row(
        print,
        `a create, 64 at once, converted by ${by}`,
        median(creates['v1'] ?? []),
        median(creates['v2'] ?? []),
      );
    }
  } finally {
    await server.close();
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}
