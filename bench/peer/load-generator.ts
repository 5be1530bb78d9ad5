import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

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
  readonly events: number;
}

/** Where jobs go, and the files of the client certificate. */
export interface Destination {
  readonly port: number;
  readonly pki: string;
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

  /**
   * Does a job. Calls back when the connections are open, and again when the job is done, before they are closed.
   *
   * @throws where a connection fails, or an answer is no success
   */
  async run(
    job: Job,
    { port, pki }: Destination,
    atEdge: (edge: 'begin' | 'end') => void = () => {},
  ): Promise<Outcome> {
    const child = spawn(this.#binary, { stdio: ['pipe', 'pipe', 'inherit'] });
    const asked = { protocol: 'h1', method: 'GET', ...job };
    const credentials = { cert: join(pki, 'admin.crt'), key: join(pki, 'admin.key') };
    child.stdin.write(`${JSON.stringify({ address: `127.0.0.1:${port}`, ...credentials, ...asked })}\n`);
    const exited = once(child, 'exit');
    let outcome: Outcome | undefined;
    for await (const line of createInterface(child.stdout)) {
      atEdge(line === 'ready' ? 'begin' : 'end');
      if (line === 'ready') child.stdin.write('\n');
      else {
        outcome = JSON.parse(line);
        child.stdin.end();
      }
    }
    const [code] = await exited;
    if (code !== 0 || outcome === undefined) throw new Error(`the load generator ended with ${code}`);
    const failed = Object.keys(outcome.statuses).filter((status) => !/^2/.test(status));
    if (failed.length > 0)
      throw new Error(`${asked.method} ${job.path}: ${JSON.stringify(outcome.statuses)}`);
    return outcome;
  }
}
