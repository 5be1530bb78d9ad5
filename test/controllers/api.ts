import { setTimeout as sleep } from 'node:timers/promises';
import { type ForkOptions, type IlkServer, type ServerOptions, startServer } from '../../src/server.ts';

export interface Answer {
  readonly code: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A server with a client that speaks JSON, for tests. */
export class Api implements AsyncDisposable {
  readonly #server: IlkServer;
  /** What went wrong inside. */
  readonly troubles: unknown[];

  private constructor(server: IlkServer, troubles: unknown[]) {
    this.#server = server;
    this.troubles = troubles;
  }

  /** For a server that the caller closes. */
  static of(server: IlkServer): Api {
    return new Api(server, []);
  }

  static async start(options: ServerOptions = {}): Promise<Api> {
    const troubles: unknown[] = [];
    const onTrouble = (error: unknown) => void troubles.push(error);
    return new Api(await startServer({ listen: false, onTrouble, ...options }), troubles);
  }

  /** The same server, a moment later, in two. */
  async fork(options: ForkOptions = {}): Promise<Api> {
    return new Api(await this.#server.fork(options), this.troubles);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<Answer> {
    const init =
      body === undefined
        ? { method }
        : { method, headers: { 'content-type': contentType }, body: JSON.stringify(body) };
    const response = await this.#server.fetch(path, init);
    const text = await response.text();
    return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  /** What a watch sends until it ends. */
  async lines(path: string): Promise<Answer['body'][]> {
    const response = await this.#server.fetch(path, { method: 'GET' });
    const text = await response.text();
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  /** @throws what the server refuses with */
  async create(path: string, body: unknown): Promise<Answer['body']> {
    const answer = await this.call('POST', path, body);
    if (answer.code !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async merge(path: string, patch: unknown): Promise<Answer['body']> {
    const answer = await this.call('PATCH', path, patch, 'application/merge-patch+json');
    if (answer.code !== 200) throw new Error(`PATCH ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async delete(path: string, options: object = {}): Promise<Answer['body']> {
    const answer = await this.call('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    if (answer.code >= 300) throw new Error(`DELETE ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async exists(path: string): Promise<boolean> {
    return (await this.get(path)).code === 200;
  }

  /** Waits until the path answers 404. */
  async gone(path: string): Promise<void> {
    await until(async () => !(await this.exists(path)), `${path} is still there`);
  }

  /** Waits until what stands at the path satisfies. */
  async settles(path: string, satisfies: (body: Answer['body']) => boolean): Promise<Answer['body']> {
    let last: Answer['body'];
    await until(
      async () => satisfies((last = (await this.get(path)).body)),
      () => `${path} stays ${JSON.stringify(last)}`,
    );
    return last;
  }

  async namespace(name: string): Promise<void> {
    await this.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const patienceMs = 60_000;

/** Waits until something holds, asking often. */
export async function until(
  holds: () => Promise<boolean>,
  complaint: string | (() => string) = 'it does not come',
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(typeof complaint === 'string' ? complaint : complaint());
    await sleep(5);
  }
}

/** Gives everything that is under way the time to do something that it should not. */
export async function quiet(): Promise<void> {
  await sleep(150);
}

/** An object of a kind of group `example.com`. */
export function objectOf(kind: string, name: string, metadata: object = {}) {
  return { apiVersion: 'example.com/v1', kind, metadata: { name, ...metadata } };
}
