import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdProcess, etcdBinaries, freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { type Served, startIlk as startIlkOn, startProcess } from '../http/served.ts';
import { ask } from './ask.ts';
import { cpuUs } from './process-use.ts';

/** A server that is measured. */
export interface PeerServer {
  readonly port: number;
  readonly pid: number;
  /** The etcd behind it, if there is one. */
  readonly etcdPid: number | undefined;
  readonly pki: string;
  /** What it took until it served; of upstream's server, with its etcd. */
  readonly started: Started;
  stop(): Promise<void>;
  /** Starts it once more on the same storage, where that is possible. */
  readonly again?: () => Promise<PeerServer>;
}

/** What a start took: wall time, and the processor time of the server. */
interface Started {
  readonly ms: number;
  readonly cpuUs: number;
}

export type ContenderName = 'bare' | 'ilk sqlite' | 'ilk etcd' | 'upstream';

/** Where servers find what they need. */
export interface Site {
  /** Each server gets a folder of its own below. */
  readonly folder: string;
  /** Certificates that all servers share; left out, each makes its own, as at a first start. */
  readonly pki?: string;
}

/** Upstream's apiextensions-apiserver; undefined where there is none to compare with. */
export const upstreamBinary = process.env['ILK_BENCH_UPSTREAM'];

/** The contenders that this machine has. */
export const present: ReadonlySet<ContenderName> = new Set<ContenderName>([
  'bare',
  'ilk sqlite',
  ...(etcdBinaries.length > 0 ? (['ilk etcd'] as const) : []),
  ...(etcdBinaries.length > 0 && upstreamBinary !== undefined ? (['upstream'] as const) : []),
]);

/** Starts a server on an empty storage, and waits until it serves. */
export async function startPeer(name: ContenderName, site: Site): Promise<PeerServer> {
  if (name === 'upstream') return timed(() => startUpstream(site));
  if (name === 'bare') throw new Error('a bare server has to be told what to answer');
  const data = mkdtempSync(join(site.folder, 'ilk-'));
  if (name === 'ilk sqlite') return startIlk(site, data, []);
  const etcd = await EtcdProcess.start({ onDisk: true });
  return withEtcd(await startIlk(site, data, ['--etcd-servers', etcd.url]), etcd);
}

async function startIlk(site: Site, data: string, flags: readonly string[]): Promise<PeerServer> {
  const pki = site.pki ?? join(data, 'pki');
  const again = () =>
    timed(async () => ({
      ...served(await startIlkOn(data, '--cert-dir', pki, ...flags), pki),
      again,
    }));
  return again();
}

function served({ port, child, stop }: Served, pki: string): StartedServer {
  return { port, pid: child.pid ?? 0, etcdPid: undefined, pki, stop };
}

type StartedServer = Omit<PeerServer, 'started'>;

async function timed(start: () => Promise<StartedServer>): Promise<PeerServer> {
  const began = performance.now();
  const server = await start();
  return { ...server, started: { ms: performance.now() - began, cpuUs: cpuUs(server.pid) } };
}

function withEtcd<T extends StartedServer>(server: T, etcd: EtcdProcess): T {
  const stop = async () => {
    await server.stop();
    await etcd[Symbol.asyncDispose]();
  };
  return { ...server, etcdPid: etcd.pid, stop };
}

/** A plain server of Node that does one thing, as `http/floor-server.ts` says. */
export function startBare(mode: string, file: string, pki: string): Promise<PeerServer> {
  const script = join(import.meta.dirname, 'http', 'floor-server.mjs');
  return startNode([script, mode, pki, file], pki);
}

/** A process of Node that says `listening <port>`. */
export function startNode(args: readonly string[], pki: string): Promise<PeerServer> {
  return timed(async () => served(await startProcess(args, /listening (\d+)/), pki));
}

const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:1' } }],
  users: [{ name: 'none', user: {} }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
});

/** Admission that waits for a kube-apiserver beside it, which is not there. */
const unusableAdmission = [
  'NamespaceLifecycle',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
];

interface UpstreamParts {
  readonly folder: string;
  readonly pki: string;
  readonly port: number;
  readonly etcdUrl: string;
}

function upstreamFlags({ folder, pki, port, etcdUrl }: UpstreamParts): string[] {
  const config = join(folder, 'kubeconfig');
  writeFileSync(config, kubeconfig);
  return [
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--tls-cert-file=${join(pki, 'server.crt')}`,
    `--tls-private-key-file=${join(pki, 'server.key')}`,
    `--client-ca-file=${join(pki, 'ca.crt')}`,
    `--etcd-servers=${etcdUrl}`,
    '--authentication-skip-lookup',
    `--authentication-kubeconfig=${config}`,
    `--authorization-kubeconfig=${config}`,
    `--kubeconfig=${config}`,
    '--enable-priority-and-fairness=false',
    `--disable-admission-plugins=${unusableAdmission.join(',')}`,
  ];
}

async function startUpstream(site: Site): Promise<StartedServer> {
  const etcd = await EtcdProcess.start({ onDisk: true });
  return withEtcd(await startUpstreamOn(site, etcd.url), etcd);
}

/** Upstream's server on an etcd, or on what speaks its protocol. */
export async function startUpstreamOn({ folder, pki }: Site, etcdUrl: string): Promise<StartedServer> {
  if (upstreamBinary === undefined || pki === undefined)
    throw new Error('ILK_BENCH_UPSTREAM names no server');
  const [port = 0] = await freePorts(1);
  const child = spawn(upstreamBinary, upstreamFlags({ folder, pki, port, etcdUrl }), { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const server = { port, pid: child.pid ?? 0, etcdPid: undefined, pki, stop };
  await serving(server, child);
  return server;
}

/** Its own readiness waits for informers of a kube-apiserver; this asks for what is measured. */
async function serving(server: StartedServer, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (child.exitCode !== null) throw new Error(`upstream's server ended with ${child.exitCode}`);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const answer = await ask(server, { path }).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(20);
  }
  throw new Error("upstream's server does not serve");
}

/** Makes certificates that all servers can use: those of a server of Ilk that is started once. */
export async function makeSite(folder: string): Promise<Required<Pick<Site, 'folder' | 'pki'>>> {
  const server = await startPeer('ilk sqlite', { folder });
  await server.stop();
  return { folder, pki: server.pki };
}

/** Removes what servers left. */
export function removeSite({ folder }: Site): void {
  rmSync(folder, { recursive: true, force: true });
}
