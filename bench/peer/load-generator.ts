import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** What the load generator is to send. `{i}` in path and body is the number of the request, `{i%N}` its rest by N. */
export interface Job {
  readonly protocol?: 'h1' | 'h2';
  readonly connections: number;
  /** In flight on each connection of HTTP/2. */
  readonly streams?: number;
  readonly requests: number;
  /** The number of the first request. */
  readonly from?: number;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a connection waits between an answer and its next request. */
  readonly everyMs?: number;
  /** So many watches of `watchPath` are open meanwhile, each of which must see an event for each request. */
  readonly watchers?: number;
  readonly watchPath?: string;
}

/** What came of a job, as the load generator prints it. */
export interface Outcome {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly wallMs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
  readonly events: number;
}

/** Where jobs go, and the folder of the administrator's certificate; none where headers say who asks. */
interface Destination {
  readonly port: number;
  readonly pki?: string;
}

/** The program of `bench/peer/load`, written in Go: clients in Node would need as much CPU as the server. */
export class LoadGenerator {
  readonly #binary: string;

  private constructor(binary: string) {
    this.#binary = binary;
  }

  /** Builds it into a folder. @throws where there is no Go */
  static build(folder: string): LoadGenerator {
    const binary = join(folder, 'load');
    execFileSync('go', ['build', '-o', binary, '.'], { cwd: 'bench/peer/load', stdio: 'inherit' });
    return new LoadGenerator(binary);
  }

  /** Opens the connections and watches of a job, in a process of its own. */
  open(job: Job, destination: Destination): OpenJob {
    return new OpenJob(spawn(this.#binary, { stdio: ['pipe', 'pipe', 'inherit'] }), job, destination);
  }

  /**
   * Does a job. Calls back when the connections are open, and again when the job is done, before they are closed.
   *
   * @throws where a connection fails, or an answer is no success
   */
  async run(
    job: Job,
    destination: Destination,
    atEdge: (edge: 'begin' | 'end') => void = () => {},
  ): Promise<Outcome> {
    const open = this.open(job, destination);
    await open.ready;
    atEdge('begin');
    open.begin();
    const outcome = await open.outcome;
    atEdge('end');
    await open.close();
    const failed = Object.keys(outcome.statuses).filter((status) => !/^2/.test(status));
    if (failed.length > 0)
      throw new Error(`${job.method ?? 'GET'} ${job.path}: ${JSON.stringify(outcome.statuses)}`);
    return outcome;
  }
}

/** A job whose connections are open, or are being opened. */
export class OpenJob {
  readonly ready: Promise<void>;
  /** @throws where a connection failed */
  readonly outcome: Promise<Outcome>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<unknown>;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>, job: Job, { port, pki }: Destination) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    const credentials =
      pki === undefined ? {} : { cert: join(pki, 'admin.crt'), key: join(pki, 'admin.key') };
    const asked = { protocol: 'h1', method: 'GET', address: `127.0.0.1:${port}`, ...credentials, ...job };
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const line = async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the load generator ended with ${child.exitCode}`);
      return value;
    };
    this.ready = line().then(() => {});
    this.outcome = this.ready.then(line).then((text) => JSON.parse(text));
    this.outcome.catch(() => {});
  }

  /** Sends the first requests. */
  begin(): void {
    this.#child.stdin.write('\n');
  }

  /** Sends no further requests; the result covers those that were sent. */
  stop(): Promise<Outcome> {
    this.#child.stdin.write('\n');
    return this.outcome;
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#exited;
  }
}
