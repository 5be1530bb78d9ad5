import { isObject, type JsonObject } from '../../src/meta/index.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { read } from './record.ts';
import type { Storm } from './storm.ts';

/** What a mirror has been told without a gap. */
interface Coverage {
  readonly after: number;
  upTo: number;
  readonly told: Set<number>;
}

/**
 * Mirrors a collection as client-go's reflector does: lists, watches from there, resumes where a watch ended, and lists
 * anew only when told that the past is forgotten, or when the collection is not there.
 */
export class Mirror {
  readonly #storm: Storm;
  readonly #plural: string;
  readonly #version: string;
  readonly #objects = new Map<string, JsonObject>();
  readonly #coverages: Coverage[] = [];
  readonly #abort = new AbortController();
  watches = 0;
  lists = 0;

  constructor(storm: Storm, plural: string, version: string) {
    this.#storm = storm;
    this.#plural = plural;
    this.#version = version;
  }

  get objects(): JsonObject[] {
    return [...this.#objects.values()];
  }

  /** How far it has come. */
  get revision(): number {
    return this.#coverages.at(-1)?.upTo ?? 0;
  }

  async run(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      // A watch that is just being opened is aborted, too.
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  async #follow(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      const coverage = await this.#list();
      if (coverage !== undefined) while (!this.#abort.signal.aborted && (await this.#watch(coverage)));
      await this.#storm.pause();
    }
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Complains of every write that it was not told of although it was there without a gap. */
  check(): void {
    const { record } = this.#storm;
    for (const { after, upTo, told } of this.#coverages) {
      for (const revision of record.writesWithin(this.#plural, after, upTo)) {
        if (!told.has(revision)) record.complain(`${this.#name}: nothing was told of ${revision}`);
      }
    }
  }

  get #name(): string {
    return `mirror of ${this.#plural} in ${this.#version}`;
  }

  async #list(): Promise<Coverage | undefined> {
    const { record } = this.#storm;
    const { buried } = record;
    const { code, body } = await this.#storm.call('GET', this.#storm.collection(this.#plural, this.#version));
    if (code !== 200) {
      if (code !== 404) record.complain(`${this.#name}: list ${code}`);
      return undefined;
    }
    this.lists += 1;
    this.#objects.clear();
    for (const item of Array.isArray(body['items']) ? body['items'] : []) {
      record.seen(this.#name, item, { plural: this.#plural, version: this.#version, buried });
      if (isObject(item)) this.#objects.set(read(item).name, item);
    }
    const after = read(body).revision;
    const coverage = { after, upTo: after, told: new Set<number>() };
    this.#coverages.push(coverage);
    return coverage;
  }

  /** One watch to its end; false where it cannot be resumed. */
  async #watch(coverage: Coverage): Promise<boolean> {
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=60&resourceVersion=${coverage.upTo}`;
    const path = `${this.#storm.collection(this.#plural, this.#version)}?${query}`;
    const response = await this.#storm.server.fetch(path, { signal: this.#abort.signal });
    this.#storm.record.answered(`GET ${path}`, response.status, '');
    if (response.status !== 200) {
      await response.text();
      return false;
    }
    this.watches += 1;
    const stream = new WatchStream(response);
    for (;;) {
      const event = await stream.next();
      if (event === undefined) return true;
      if (event.type === 'ERROR') return this.#failed(event.object);
      this.#take(event.type, event.object, coverage);
    }
  }

  #failed(status: JsonObject): false {
    if (status['code'] !== 410) this.#storm.record.complain(`${this.#name}: ${JSON.stringify(status)}`);
    return false;
  }

  #take(type: string, object: JsonObject, coverage: Coverage): void {
    const { record } = this.#storm;
    const { name, revision } = read(object);
    if (revision <= coverage.upTo && type !== 'BOOKMARK')
      record.complain(`${this.#name}: ${type} ${name} at ${revision} after ${coverage.upTo}`);
    coverage.upTo = Math.max(coverage.upTo, revision);
    if (type === 'BOOKMARK') return;
    coverage.told.add(revision);
    const deleted = type === 'DELETED';
    record.seen(`${this.#name}: ${type}`, object, { plural: this.#plural, version: this.#version, deleted });
    if ((type === 'ADDED') === this.#objects.has(name))
      record.complain(
        `${this.#name}: ${type} of ${name}, which ${type === 'ADDED' ? 'was' : 'was not'} there`,
      );
    if (deleted) this.#objects.delete(name);
    else this.#objects.set(name, object);
  }
}
