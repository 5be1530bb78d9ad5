import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IlkProcess } from '../fixtures/ilk-process.ts';
import { Connection, Kubeconfig } from './connection.ts';

/** What ann sends, a user without rights. */
export const ann = Object.freeze({ authorization: 'Bearer token-of-ann' });
const tokens = 'token-of-ann,ann,1\n';
/** How many connections may have to be opened until each thread has one: all go to one of two with 2^-40. */
const connectionsMax = 40;

type Flags = readonly string[] | ((folder: string) => readonly string[]);

/** A server with two threads, and connections to each of them. */
export class RunningServer {
  readonly process: IlkProcess;
  readonly folder: string;
  readonly #connections: Connection[] = [];
  #ready: Awaited<ReturnType<IlkProcess['ready']>> | undefined;

  /** @param flags may name files in the folder of the server, which they can write there */
  constructor(flags: Flags, env: Readonly<Record<string, string>> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'ilk-workers-'));
    writeFileSync(join(this.folder, 'tokens.csv'), tokens);
    this.process = new IlkProcess(
      [
        'serve',
        '--workers=2',
        '--secure-port=0',
        `--token-auth-file=${join(this.folder, 'tokens.csv')}`,
        `--data-dir=${join(this.folder, 'data')}`,
        ...(typeof flags === 'function' ? flags(this.folder) : flags),
      ],
      env,
    );
  }

  /** Starts a server, and waits until it is ready. */
  static async start(flags: Flags, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
    const server = new RunningServer(flags, env);
    server.#ready = await server.process.ready();
    return server;
  }

  get ready() {
    if (this.#ready === undefined) throw new Error('not started');
    return this.#ready;
  }

  get kubeconfig(): Kubeconfig {
    return new Kubeconfig(this.ready.kubeconfig);
  }

  /** A connection to a thread, of the administrator, or of the user of headers who may ask which thread it is. */
  async to(worker: number, headers?: Readonly<Record<string, string>>): Promise<Connection> {
    for (let tries = 0; tries < connectionsMax; tries += 1) {
      const connection = new Connection(this.kubeconfig, headers);
      this.#connections.push(connection);
      const { code, body } = await connection.call('GET', '/ilk/v1/server');
      if (code !== 200) throw new Error(`this user may not ask for the worker: ${code}`);
      connection.worker = body.worker;
      if (connection.worker === worker) return connection;
      connection.close();
    }
    throw new Error(`no connection came to worker ${worker}`);
  }

  /** A connection to each thread. */
  async both(headers?: Readonly<Record<string, string>>): Promise<[Connection, Connection]> {
    return [await this.to(0, headers), await this.to(1, headers)];
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections.splice(0)) connection.close();
    this.process.kill('SIGKILL');
    await this.process.ended();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
