import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/meta/index.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

beforeAll(buildIfMissing);
const folder = mkdtempSync(join(tmpdir(), 'ilk-durability-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a client was told: this widget has this size since this revision; undefined where it is deleted. */
interface Acknowledged {
  readonly size: number | undefined;
  readonly revision: number;
}

const writers = 16;

function revisionOf(object: KubeObject): number {
  return Number(Object(object['metadata']).resourceVersion);
}

/** Writes one widget again and again, until the connection breaks: create, update, and now and then delete. */
class Writer {
  readonly name: string;
  /** The last write that was acknowledged. */
  last: Acknowledged = { size: undefined, revision: 0 };
  /** A write whose answer never came: it may be there or not. */
  unsure = false;
  acknowledged = 0;
  readonly #client: HttpsClient;

  constructor(name: string, client: HttpsClient, last: Acknowledged) {
    this.name = name;
    this.#client = client;
    this.last = last;
  }

  async write(onAcknowledged: () => void): Promise<void> {
    for (let count = 1; ; count += 1) {
      this.unsure = true;
      try {
        await this.#writeOnce(count);
      } catch (error) {
        // Only a broken connection ends the work; a refusal is a failure of the test.
        if (error instanceof Error && 'code' in error) return;
        throw error;
      }
      this.unsure = false;
      this.acknowledged += 1;
      onAcknowledged();
    }
  }

  async #writeOnce(count: number): Promise<void> {
    const { size, revision } = this.last;
    const path = `${widgetsPath()}/${this.name}`;
    if (size === undefined) return this.#keep('POST', widgetsPath(), widget(this.name, { size: count }));
    if (count % 10 !== 0) {
      const body = widget(this.name, { size: size + 1 }, { resourceVersion: String(revision) });
      return this.#keep('PUT', path, body);
    }
    const { code, body } = await this.#client.call('DELETE', path);
    if (code !== 200) throw new TypeError(`DELETE ${this.name}: ${code} ${body}`);
    this.last = { size: undefined, revision };
  }

  async #keep(method: string, path: string, object: KubeObject): Promise<void> {
    const { code, body } = await this.#client.call(method, path, { body: object });
    if (code !== 200 && code !== 201) throw new TypeError(`${method} ${this.name}: ${code} ${body}`);
    const stored: KubeObject = JSON.parse(body);
    const revision = revisionOf(stored);
    if (revision <= this.last.revision) throw new TypeError(`${revision} after ${this.last.revision}`);
    this.last = { size: Object(stored['spec']).size, revision };
  }
}

/** What every watcher of all this must have seen, folded into a state. */
async function replay(
  client: HttpsClient,
  from: number,
  until: number,
  state: Map<string, number>,
): Promise<number> {
  const response = await client.open(
    'GET',
    `${widgetsPath()}?watch=1&resourceVersion=${from}&allowWatchBookmarks=true`,
  );
  expect(response.statusCode).toBe(200);
  response.setEncoding('utf8');
  let text = '';
  let seen = from;
  for await (const piece of response) {
    const lines = (text + piece).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      expect(['ADDED', 'MODIFIED', 'DELETED']).toContain(type);
      expect(revisionOf(object)).toBeGreaterThan(seen);
      seen = revisionOf(object);
      if (type === 'DELETED') state.delete(object.metadata.name);
      else state.set(object.metadata.name, object.spec.size);
    }
    if (seen >= until) break;
  }
  response.destroy();
  return seen;
}

async function listed(client: HttpsClient): Promise<{ items: Map<string, KubeObject>; revision: number }> {
  const { code, body } = await client.call('GET', widgetsPath());
  expect(code).toBe(200);
  const list = JSON.parse(body);
  const items: [string, KubeObject][] = list.items.map((item: KubeObject) => [
    Object(item['metadata']).name,
    item,
  ]);
  return { items: new Map(items), revision: revisionOf(list) };
}

function stateOf(items: Map<string, KubeObject>): Map<string, number> {
  return new Map([...items].map(([name, item]) => [name, Object(item['spec']).size]));
}

// It ends when the writes are done, which takes as long as the machine needs; the bound is for what hangs.
test('SIGKILL under load: what was acknowledged is there, revisions go on, watches resume', {
  timeout: 900_000,
}, async () => {
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const start = async () => {
    const child = new IlkProcess(['serve', '--secure-port=0', `--data-dir=${folder}/data`, `--crds=${crds}`]);
    const { kubeconfig } = await child.ready();
    return { child, client: new HttpsClient(kubeconfig) };
  };
  let { child, client } = await start();
  let before = await listed(client);
  let last = new Map<string, Acknowledged>();
  let total = 0;
  for (let round = 1; round <= 4; round += 1) {
    let left = 150 * round;
    const killed = () => {
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
    };
    const all = Array.from({ length: writers }, (_, index) => {
      const name = `w-${index}`;
      return new Writer(name, client, last.get(name) ?? { size: undefined, revision: 0 });
    });
    await Promise.all(all.map((writer) => writer.write(killed)));
    await child.ended();
    client.close();

    ({ child, client } = await start());
    const after = await listed(client);
    const highest = Math.max(...all.map((writer) => writer.last.revision));
    expect(after.revision).toBeGreaterThanOrEqual(highest);
    for (const { name, last: acknowledged, unsure } of all) {
      const item = after.items.get(name);
      const found = item === undefined ? undefined : Object(item['spec']).size;
      const isLast =
        found === acknowledged.size && (item === undefined || revisionOf(item) === acknowledged.revision);
      // One write of each may have been stored without its answer getting through; never anything older.
      const isNewer =
        unsure &&
        (item === undefined ? acknowledged.size !== undefined : revisionOf(item) > acknowledged.revision);
      expect([name, isLast || isNewer, { found, acknowledged, unsure }]).toEqual([
        name,
        true,
        expect.anything(),
      ]);
    }
    const state = stateOf(before.items);
    await replay(client, before.revision, Math.max(...[...after.items.values()].map(revisionOf)), state);
    for (const [name, size] of stateOf(after.items)) expect([name, state.get(name)]).toEqual([name, size]);

    total += all.reduce((sum, writer) => sum + writer.acknowledged, 0);
    before = after;
    last = new Map(
      all.map(({ name }) => {
        const item = after.items.get(name);
        if (item === undefined) return [name, { size: undefined, revision: 0 }];
        return [name, { size: Object(item['spec']).size, revision: revisionOf(item) }];
      }),
    );
  }
  expect(total).toBeGreaterThanOrEqual(150 * (1 + 2 + 3 + 4));
  client.close();
  child.kill('SIGTERM');
  expect((await child.ended()).code).toBe(0);
});
