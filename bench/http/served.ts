import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdOf } from '../../test/fixtures/crd.ts';

/** A process that serves. */
export interface Served {
  readonly port: number;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a Node process and waits until it says, in a line that matches, on which port it listens. */
export function startProcess(args: readonly string[], ready: RegExp): Promise<Served> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const port = ready.exec(out)?.[1];
      if (port === undefined) return;
      const stop = async () => {
        child.kill('SIGTERM');
        await exited;
      };
      resolve({ port: Number(port), child, stop });
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}

/** Flags of Node for all servers: `BENCH_NODE_FLAGS=--no-parallel-scavenge npm run bench -- overload`. */
const nodeFlags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');

/** Starts the built `ilk serve` on a data folder. */
export function startIlk(dataDir: string, ...flags: readonly string[]): Promise<Served> {
  return startIlkWith(nodeFlags, dataDir, ...flags);
}

/** {@link startIlk} with options for Node. */
export function startIlkWith(
  nodeOptions: readonly string[],
  dataDir: string,
  ...flags: readonly string[]
): Promise<Served> {
  const ilk = join(process.cwd(), 'bin', 'ilk');
  const args = [...nodeOptions, ilk, 'serve', '--data-dir', dataDir, '--secure-port', '0', ...flags];
  return startProcess(args, /serving on https:\/\/127\.0\.0\.1:(\d+)/);
}

/** The administrator's certificate and the authority, as Ilk made them. */
export function adminTls(dataDir: string): { ca: string; cert: string; key: string } {
  const read = (name: string) => readFileSync(join(dataDir, 'pki', name), 'utf8');
  return { ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') };
}

/** A kind without a schema, so that the server is measured. */
export const widgetCrd = crdOf('Widget', { group: 'bench.example.com' });

export const widgetsPath = '/apis/bench.example.com/v1/namespaces/default/widgets';

/** An object that is about 1 KB when it is stored. */
export function widget(name: string, more: object = {}): object {
  const text = 'x'.repeat(580);
  return { apiVersion: 'bench.example.com/v1', kind: 'Widget', metadata: { name }, spec: { text }, ...more };
}
