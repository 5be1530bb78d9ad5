import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { widget, widgetCrd, widgetsPath } from '../http/served.ts';
import { ask } from '../peer/ask.ts';
import { startUpstreamOn, upstreamBinary } from '../peer/contenders.ts';

/** kine, which speaks etcd's protocol and stores in PostgreSQL; undefined where there is none to compare with. */
const kineBinary = process.env['ILK_BENCH_KINE'];

export const hasKine = kineBinary !== undefined && upstreamBinary !== undefined;

interface Upstream {
  readonly port: number;
  stop(): Promise<void>;
}

/** Upstream's server on kine on a database of its own, with the kind of these benchmarks. */
export async function startOnKine(postgres: PostgresProcess, folder: string): Promise<Upstream> {
  if (kineBinary === undefined) throw new Error('ILK_BENCH_KINE names no kine');
  await postgres.query('CREATE DATABASE kine');
  const [port = 0] = await freePorts(1);
  const endpoint = `postgres://postgres@127.0.0.1:${postgres.port}/kine?sslmode=disable`;
  const flags = [`--endpoint=${endpoint}`, `--listen-address=127.0.0.1:${port}`];
  const kine = spawn(kineBinary, [...flags, '--metrics-bind-address=0'], { stdio: 'ignore', cwd: folder });
  const pki = join(folder, 'pki');
  const upstream = await startUpstreamOn({ folder, pki }, `http://127.0.0.1:${port}`);
  const target = { port: upstream.port, pki };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await ask(target, { method: 'POST', path, body: JSON.stringify(widgetCrd) });
  const body = JSON.stringify(widget('first'));
  while ((await ask(target, { method: 'POST', path: widgetsPath, body })).status !== 201) await sleep(100);
  return {
    port: upstream.port,
    async stop() {
      await upstream.stop();
      const ended = once(kine, 'exit');
      kine.kill('SIGTERM');
      await ended;
    },
  };
}
