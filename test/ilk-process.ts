import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The command line is tested as people get it: built. `npm test` builds what has changed, this what is missing. */
export function buildIfMissing(): void {
  const built = ['dist/bin/main.js', 'dist/bin/feature-gates.js'];
  if (built.every((file) => existsSync(`${root}${file}`))) return;
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}

/** A process that runs `ilk`. */
export class IlkProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #out = '';
  #err = '';
  #onText: () => void = () => {};

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [`${root}bin/ilk`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#heard(text, ''));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#heard('', text));
    this.#ended = once(this.#child, 'close').then(() => this.#heard('', ''));
  }

  #heard(out: string, err: string): void {
    this.#out += out;
    this.#err += err;
    this.#onText();
  }

  /** What was said on stdout up to the two lines that mean ready. @throws what was said where it ends without them */
  async ready(): Promise<{ readonly url: string; readonly kubeconfig: string }> {
    for (;;) {
      const found = /^ilk is serving on (\S+)\nexport KUBECONFIG=(\S+)\n$/.exec(this.#out);
      if (found !== null) return { url: found[1] ?? '', kubeconfig: found[2] ?? '' };
      if (this.#child.exitCode !== null)
        throw new Error(`ended before it was ready: ${this.#out}${this.#err}`);
      await new Promise<void>((resolve) => {
        this.#onText = resolve;
      });
    }
  }

  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. */
  async ended(): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
    await this.#ended;
    return { code: this.#child.exitCode, out: this.#out, err: this.#err };
  }
}

/** What an answer was. */
export interface HttpsAnswer {
  readonly code: number;
  readonly body: string;
}

/** Calls a server over HTTP/1.1 with what its kubeconfig holds. */
export class HttpsClient {
  readonly agent: Agent;
  readonly #url: string;

  constructor(kubeconfig: string, options: { readonly credentials: boolean } = { credentials: true }) {
    const text = readFileSync(kubeconfig, 'utf8');
    const field = (name: string) => new RegExp(`${name}: "?([^"\\s]+)`).exec(text)?.[1] ?? '';
    const pem = (name: string) => Buffer.from(field(name), 'base64');
    const certificate = {
      cert: pem('client-certificate-data'),
      key: pem('client-key-data'),
    };
    this.#url = field('server');
    this.agent = new Agent({
      keepAlive: true,
      ca: pem('certificate-authority-data'),
      ...(options.credentials ? certificate : {}),
    });
  }

  /** The head of an answer; its body is still to come. */
  open(
    method: string,
    path: string,
    options: { body?: unknown; token?: string } = {},
  ): Promise<IncomingMessage> {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const headers = {
      'content-type': 'application/json',
      // Node frames the body of a DELETE only if it is told to.
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, agent: this.agent, headers }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async call(
    method: string,
    path: string,
    options: { body?: unknown; token?: string } = {},
  ): Promise<HttpsAnswer> {
    const response = await this.open(method, path, options);
    response.setEncoding('utf8');
    let body = '';
    for await (const piece of response) body += piece;
    return { code: response.statusCode ?? 0, body };
  }

  close(): void {
    this.agent.destroy();
  }
}
