import type { KubeObject } from '../src/meta/index.ts';

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject & { readonly metadata?: KubeObject };
}

/** Reads a watch line by line. */
export class WatchStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(response: Response) {
    if (response.body === null) throw new Error(`no body: ${response.status}`);
    this.#reader = response.body.getReader();
  }

  /** The next event; undefined at the end. */
  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await this.#reader.read();
      if (done) {
        if (this.#rest !== '') throw new Error(`the stream ends within a line: ${this.#rest}`);
        return undefined;
      }
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }

  /** So many events, as `ADDED name color revision`. */
  async take(count: number): Promise<string[]> {
    const lines: string[] = [];
    while (lines.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the stream ended after ${lines.join(', ')}`);
      lines.push(shown(event));
    }
    return lines;
  }

  /** Everything up to the end. */
  async rest(): Promise<string[]> {
    const lines: string[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next())
      lines.push(shown(event));
    return lines;
  }

  /** Goes away, as a client that has seen enough. */
  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

function shown({ type, object }: WatchEvent): string {
  if (type === 'ERROR') return `ERROR ${String(object['code'])} ${String(object['message'])}`;
  const { name, resourceVersion, annotations } = Object(object.metadata);
  if (type !== 'BOOKMARK') return `${type} ${name} ${Object(object['spec']).color ?? ''} ${resourceVersion}`;
  const isEnd = annotations?.['k8s.io/initial-events-end'] === 'true';
  return `BOOKMARK ${isEnd ? 'initial-events-end ' : ''}${resourceVersion}`;
}
