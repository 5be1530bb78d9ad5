import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePorts } from '../etcd/etcd-process.test-support.ts';

/** The folder of PostgreSQL's programs: Debian has one for each version. Undefined where there is none. */
export const postgresBin: string | undefined = findBin();

function findBin(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(debian, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found === undefined && process.env['CI'] !== undefined) throw new Error('CI needs PostgreSQL');
  return found;
}

/** PostgreSQL refuses to run as root: then it runs as the user that Debian's package makes. */
const isRoot = process.getuid?.() === 0;
const asUser = (program: string, args: readonly string[]): [string, string[]] =>
  isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]]
    : [program, [...args]];

/** The id of the user that PostgreSQL runs as where this process is root. */
export function postgresUser(): number {
  return Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
}

/** A PostgreSQL in a folder of its own; it can be killed and started again. */
export class PostgresProcess implements AsyncDisposable {
  readonly port: number;
  readonly #bin: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(bin: string, port: number, folder: string, settings: readonly string[]) {
    this.#bin = bin;
    this.port = port;
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Makes a database and starts it; settings are those of `postgresql.conf`. */
  static async start(settings: readonly string[] = []): Promise<PostgresProcess> {
    const args = ['-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    return PostgresProcess.#make('initdb', args, settings);
  }

  /** Starts a standby that copies from another PostgreSQL, which it reaches at a port. */
  static async standby(port: number): Promise<PostgresProcess> {
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    return PostgresProcess.#make('pg_basebackup', [...from, '-R', '-c', 'fast', '--no-sync'], []);
  }

  static async #make(program: string, args: readonly string[], settings: readonly string[]) {
    if (postgresBin === undefined) throw new Error('there is no PostgreSQL here');
    const [port = 0] = await freePorts(1);
    const folder = mkdtempSync(join(tmpdir(), 'ilk-postgres-'));
    if (isRoot) chownSync(folder, postgresUser(), postgresUser());
    const postgres = new PostgresProcess(postgresBin, port, folder, settings);
    const [command, all] = asUser(join(postgresBin, program), ['-D', join(folder, 'data'), ...args]);
    // Not waited for synchronously: what it talks to may be a proxy in this process.
    const child = spawn(command, all, { stdio: 'ignore', cwd: folder });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
    await postgres.restart();
    return postgres;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Starts it if it is not running, and waits until it accepts queries. */
  async restart(): Promise<void> {
    // What a killed process has written is in the system's hands; only a power cut would lose it.
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      ...this.#settings,
    ];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    const args = ['-D', join(this.#folder, 'data'), '-p', String(this.port), ...flags];
    for (let attempt = 0; ; attempt++) {
      this.#child = spawn(...asUser(join(this.#bin, 'postgres'), args), {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: this.#folder,
      });
      for (const stream of [this.#child.stdout, this.#child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          this.#log = (this.#log + text).slice(-4_000);
        });
      }
      if (await this.#serves()) return;
      // After a kill, its other processes hold the memory that they share for a moment.
      if (attempt === 50) throw new Error(`PostgreSQL does not start: ${this.#log}`);
      await sleep(100);
    }
  }

  async #serves(): Promise<boolean> {
    while (this.#child?.exitCode === null && this.#child.signalCode === null) {
      if (
        await this.query('SELECT 1').then(
          () => true,
          () => false,
        )
      )
        return true;
      await sleep(50);
    }
    return false;
  }

  /** Runs a statement on a connection of its own. */
  async query(text: string): Promise<unknown[][]> {
    const client = new pg.Client({ connectionString: this.url() });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
