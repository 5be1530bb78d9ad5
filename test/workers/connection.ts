import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';

/** An answer, with its body as JSON where it is. */
export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly body: any;
}

/** What a request has besides its path. */
export interface CallOptions {
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A kubeconfig, read. */
export class Kubeconfig {
  readonly #text: string;

  constructor(path: string) {
    this.#text = readFileSync(path, 'utf8');
  }

  field(name: string): string {
    return new RegExp(`${name}: "?([^"\\s]+)`).exec(this.#text)?.[1] ?? '';
  }

  pem(name: string): Buffer {
    return Buffer.from(this.field(name), 'base64');
  }

  get ca(): Buffer {
    return this.pem('certificate-authority-data');
  }
}

/** One connection over HTTP/2, which one of the threads has. */
export class Connection {
  readonly #session: ClientHttp2Session;
  readonly #headers: Readonly<Record<string, string>>;
  /** The thread; -1 until it was asked for. */
  worker = -1;

  /** @param headers of each request, instead of the certificate of the administrator */
  constructor(kubeconfig: Kubeconfig, headers?: Readonly<Record<string, string>>) {
    this.#headers = headers ?? {};
    this.#session = connect(kubeconfig.field('server'), {
      ca: kubeconfig.ca,
      ...(headers === undefined && {
        cert: kubeconfig.pem('client-certificate-data'),
        key: kubeconfig.pem('client-key-data'),
      }),
    });
    // A call reports it.
    this.#session.on('error', () => {});
  }

  async call(method: string, path: string, { body, type, headers }: CallOptions = {}): Promise<Answer> {
    const stream = this.#session.request({
      ':method': method,
      ':path': path,
      ...this.#headers,
      ...(body === undefined ? {} : { 'content-type': type ?? typeOf(method) }),
      ...headers,
    });
    if (body !== undefined) stream.end(typeof body === 'string' ? body : JSON.stringify(body));
    else stream.end();
    const [answered, text] = await new Promise<[Record<string, unknown>, string]>((resolve, reject) => {
      let head: Record<string, unknown> = {};
      let read = '';
      stream.on('response', (given) => (head = given));
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => (read += piece));
      stream.on('end', () => resolve([head, read]));
      stream.on('error', reject);
      stream.on('close', () => reject(new Error(`${method} ${path}: closed`)));
    });
    const isJson = String(answered['content-type']).startsWith('application/json');
    return { code: Number(answered[':status']), headers: answered, body: isJson ? JSON.parse(text) : text };
  }

  /** Opens a watch; `lines` grows with its events, `ended` resolves when the server has ended it. */
  watch(path: string): WatchLines {
    const stream = this.#session.request({ ':path': path, ...this.#headers });
    const events: WatchLines['events'] = [];
    let rest = '';
    let code = 0;
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      const lines = `${rest}${piece}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) events.push(JSON.parse(line));
    });
    stream.end();
    const opened = new Promise<void>((resolve, reject) => {
      stream.on('response', (head) => {
        code = Number(head[':status']);
        resolve();
      });
      stream.on('close', () => reject(new Error(`${path}: closed`)));
    });
    const ended = new Promise<string>((resolve) => {
      stream.on('end', () => resolve(`end ${code}${rest}`));
      stream.on('error', (error) => resolve(error.message));
    });
    opened.catch(() => {});
    return { events, opened, ended, stop: () => stream.close() };
  }

  close(): void {
    this.#session.destroy();
  }
}

interface WatchLines {
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly events: { readonly type: string; readonly object: any }[];
  /** Resolves with the head of the answer. */
  readonly opened: Promise<void>;
  readonly ended: Promise<string>;
  stop(): void;
}

function typeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}
