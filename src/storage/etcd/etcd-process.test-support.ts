import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An etcd that tests can start. */
export interface EtcdBinary {
  readonly path: string;
  /** `3.4.23` */
  readonly version: string;
}

/**
 * The etcd on the PATH, and those that `ILK_TEST_ETCD` names (paths, with colons between): other versions.
 * Where CI says so by `CI`, a missing etcd is a failure; elsewhere the tests that need one are skipped.
 */
export const etcdBinaries: readonly EtcdBinary[] = findBinaries();

function findBinaries(): EtcdBinary[] {
  const paths = ['etcd', ...(process.env['ILK_TEST_ETCD'] ?? '').split(':')].filter((path) => path !== '');
  const found = paths.flatMap((path) => {
    const version = versionOf(path);
    return version === undefined ? [] : [{ path, version }];
  });
  if (found.length === 0 && process.env['CI'] !== undefined) throw new Error('CI needs an etcd on the PATH');
  return found;
}

function versionOf(path: string): string | undefined {
  try {
    const text = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /etcd Version: (\S+)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** Below the ports that systems give to those that ask for any: nobody gets one of these between the choice and its use. */
const portMin = 10_240;
const portMax = 32_000;

/** So many different ports of the loopback interface that are free right now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

interface EtcdProcessOptions {
  readonly binary?: EtcdBinary | undefined;
  /** Further flags of etcd. */
  readonly flags?: readonly string[];
  /** Where clients and members find it, and where its data is; made up where they are left out. */
  readonly clientPort?: number;
  readonly peerPort?: number;
  readonly name?: string;
  /** Certificates: then it is reached by https. */
  readonly scheme?: 'http' | 'https';
  /** Puts the data on a disk, for those who measure; else it is in memory where there is room, which outlives a kill. */
  readonly onDisk?: boolean;
}

/** What the data of the etcds of a test run may take. */
const memoryBytesMin = 2 * 1024 ** 3;

function dataFolder(onDisk: boolean): string {
  return mkdtempSync(join(onDisk || !hasMemory('/dev/shm') ? tmpdir() : '/dev/shm', 'ilk-etcd-'));
}

function hasMemory(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > memoryBytesMin;
  } catch {
    return false;
  }
}

/** An etcd member in a folder of its own; it can be killed and started again. */
export class EtcdProcess implements AsyncDisposable {
  readonly url: string;
  readonly #binary: string;
  readonly #args: readonly string[];
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(binary: string, options: Required<Omit<EtcdProcessOptions, 'binary'>>) {
    const { clientPort, peerPort, name, flags, scheme, onDisk } = options;
    this.#binary = binary;
    this.#folder = dataFolder(onDisk);
    this.url = `${scheme}://127.0.0.1:${clientPort}`;
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    this.#args = [
      `--name=${name}`,
      `--data-dir=${join(this.#folder, 'data')}`,
      `--listen-client-urls=${this.url}`,
      `--advertise-client-urls=${this.url}`,
      `--listen-peer-urls=${peerUrl}`,
      ...(flags.some((flag) => flag.startsWith('--initial-cluster='))
        ? []
        : [`--initial-advertise-peer-urls=${peerUrl}`, `--initial-cluster=${name}=${peerUrl}`]),
      '--log-level=error',
      '--logger=zap',
      ...flags,
    ];
  }

  /** Starts one and waits until it takes connections. */
  static async start(options: EtcdProcessOptions = {}): Promise<EtcdProcess> {
    const etcd = await EtcdProcess.make(options);
    etcd.spawn();
    await etcd.listening();
    return etcd;
  }

  /** One that is not started yet. */
  static async make(options: EtcdProcessOptions = {}): Promise<EtcdProcess> {
    const binary = options.binary ?? etcdBinaries[0];
    if (binary === undefined) throw new Error('there is no etcd here');
    const [clientPort = 0, peerPort = 0] = await freePorts(2);
    return new EtcdProcess(binary.path, {
      clientPort,
      peerPort,
      name: 'one',
      flags: [],
      scheme: 'http',
      onDisk: false,
      ...options,
    });
  }

  /** The process, for tests that stop and continue it. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  spawn(): void {
    this.#child = spawn(this.#binary, this.#args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log = (this.#log + text).slice(-4_000);
      });
    }
  }

  /** Waits until it serves; one that wants certificates only until it takes connections. */
  async listening(): Promise<void> {
    const serves = this.url.startsWith('https') ? accepts : isHealthy;
    for (let attempt = 0; attempt < 400; attempt++) {
      if (this.#child?.exitCode !== null) throw new Error(`etcd ended: ${this.#log}`);
      if (await serves(this.url)) return;
      await sleep(50);
    }
    throw new Error(`etcd does not serve: ${this.#log}`);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    await ended;
  }

  async restart(): Promise<void> {
    this.spawn();
    await this.listening();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).status === 200;
  } catch {
    return false;
  }
}

async function accepts(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
