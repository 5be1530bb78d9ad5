import { expect, test } from 'vitest';
import { seededRandom } from '../../src/meta/index.ts';
import { type KubeObject, ownString } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { until } from '../storage/replicas.test-support.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1, endpointV2 } from './endpoints.ts';
import { type Answer, converting, saying, WebhookServer } from './webhook-server.ts';

type Version = 'v1' | 'v2';
type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

/** Answers rightly, or in one of many wrong ways. */
function moody(random: Random, wrongShare: () => number): Answer {
  const right = converting(convertEndpoint);
  const wrongs: readonly Answer[] = [
    saying(500, 'text/plain', 'broken'),
    saying(200, 'application/json', 'garbage'),
    (_, response) => response.destroy(),
    converting(convertEndpoint, (_, response) => void (response['uid'] = 'x')),
    converting(convertEndpoint, (_, response) => void (response['convertedObjects'] = [])),
    converting((object, version) => ({ ...convertEndpoint(object, version), kind: 'Gadget' })),
  ];
  return async (body, response, request) => {
    if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 15));
    const answer = random() < wrongShare() ? pick(random, wrongs) : right;
    return answer(body, response, request);
  };
}

/** What an endpoint says, whatever the version: the reference. */
const meaning = ({ apiVersion, spec }: KubeObject): string => {
  const { address, host, port } = Object(spec);
  return String(apiVersion).endsWith('/v1') ? String(address) : `${host}:${port}`;
};
const revisionOf = (object: KubeObject): number => Number(Object(object['metadata']).resourceVersion);
const nameOf = (object: KubeObject): string => String(Object(object['metadata']).name);

class Story {
  readonly server: IlkServer;
  readonly random: Random;
  /** What every acknowledged write left, by the object's name. */
  readonly state = new Map<string, string>();
  /** What each revision that a client was told of says. */
  readonly byRevision = new Map<number, string>();
  failures = 0;
  successes = 0;

  constructor(server: IlkServer, random: Random) {
    this.server = server;
    this.random = random;
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json') {
    const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
    const response = await this.server.fetch(path, { method, ...init });
    return { code: response.status, body: JSON.parse(await response.text()) as KubeObject };
  }

  /** One write of one object by one client: 2xx means done, 500 means nothing happened. */
  async write(name: string): Promise<void> {
    const version = pick<Version>(this.random, ['v1', 'v2']);
    const [host, port] = [pick(this.random, ['a', 'b', 'c']), Math.floor(this.random() * 3)];
    const object = version === 'v1' ? endpointV1(name, `${host}:${port}`) : endpointV2(name, host, port);
    const path = endpointsPath(version, `/${name}`);
    const patch = { spec: version === 'v1' ? { address: `${host}:${port}` } : { host, port } };
    const verb = this.state.has(name)
      ? pick(this.random, ['put', 'patch', 'apply', 'label', 'delete'])
      : 'create';
    const wanted = `${host}:${port}`;
    switch (verb) {
      case 'create':
        return this.settle(name, wanted, await this.call('POST', endpointsPath(version), object));
      case 'put': {
        const { code, body } = await this.call('GET', path);
        if (code !== 200) return this.refused(name, body);
        const changed = { ...object, metadata: body['metadata'] };
        return this.settle(name, wanted, await this.call('PUT', path, changed));
      }
      case 'patch':
        return this.settle(
          name,
          wanted,
          await this.call('PATCH', path, patch, 'application/merge-patch+json'),
        );
      case 'apply': {
        const query = `?fieldManager=m${Math.floor(this.random() * 2)}&force=true`;
        const applied = await this.call('PATCH', `${path}${query}`, object, 'application/apply-patch+yaml');
        return this.settle(name, wanted, applied);
      }
      case 'label': {
        const labels = { metadata: { labels: { l: String(port) } } };
        const now = this.state.get(name);
        const labelled = await this.call('PATCH', path, labels, 'application/merge-patch+json');
        return this.settle(name, now, labelled);
      }
      default: {
        const { code, body } = await this.call('DELETE', path);
        if (code === 200) this.done(name, undefined);
        else this.refused(name, body);
      }
    }
  }

  settle(name: string, wanted: string | undefined, { code, body }: { code: number; body: KubeObject }): void {
    if (code >= 300) return this.refused(name, body);
    expect(meaning(body)).toBe(wanted);
    this.byRevision.set(revisionOf(body), meaning(body));
    this.done(name, wanted);
  }

  done(name: string, state: string | undefined): void {
    this.successes += 1;
    if (state === undefined) this.state.delete(name);
    else this.state.set(name, state);
  }

  refused(name: string, body: KubeObject): void {
    this.failures += 1;
    expect({ name, code: body['code'], message: body['message'] }).toEqual({
      name,
      code: 500,
      message: expect.stringMatching(
        /^conversion webhook for net\.example\.com\/v[12], Kind=Endpoint (failed|returned)/,
      ),
    });
  }

  /** What a list shows was acknowledged in exactly that state, if a client was told of it. */
  async list(version: Version): Promise<void> {
    const { code, body } = await this.call('GET', endpointsPath(version));
    if (code !== 200) return this.refused('', body);
    for (const item of body['items'] as KubeObject[]) {
      const told = this.byRevision.get(revisionOf(item));
      if (told !== undefined) expect(meaning(item)).toBe(told);
    }
  }
}

/** Follows a collection as an informer does: a list, then watches; what ends is resumed where it ended. */
class Informer {
  readonly #story: Story;
  readonly #version: Version;
  readonly #selected: string | undefined;
  readonly seen = new Map<string, string>();
  revision = 0;
  errors = 0;

  constructor(story: Story, version: Version, selected?: string) {
    this.#story = story;
    this.#version = version;
    this.#selected = selected;
  }

  /** Runs until it has seen an object of this name. */
  async follow(last: string): Promise<void> {
    const selector = this.#selected === undefined ? '' : `&fieldSelector=${this.#field}%3D${this.#selected}`;
    while (!this.seen.has(last)) {
      const from = `&resourceVersion=${this.revision === 0 ? 1 : this.revision}`;
      const query = `?watch=true&timeoutSeconds=1${from}${selector}`;
      const response = await this.#story.server.fetch(`${endpointsPath(this.#version)}${query}`);
      await this.#read(new WatchStream(response), last);
    }
  }

  get #field(): string {
    return this.#version === 'v1' ? 'spec.address' : 'spec.host';
  }

  async #read(stream: WatchStream, last: string): Promise<void> {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      const { type, object } = event;
      if (type === 'ERROR') {
        this.errors += 1;
        expect(ownString(object, 'message')).toMatch(/conversion webhook for/);
        continue;
      }
      const revision = revisionOf(object);
      expect(revision).toBeGreaterThan(this.revision);
      this.revision = revision;
      this.#take(type, object);
      if (this.seen.has(last)) return stream.close();
    }
  }

  #take(type: string, object: KubeObject): void {
    const name = nameOf(object);
    expect({ type, known: this.seen.has(name) }).toEqual({ type, known: type !== 'ADDED' });
    if (type === 'DELETED') {
      expect(meaning(object)).toBe(this.seen.get(name));
      this.seen.delete(name);
      return;
    }
    const told = this.#story.byRevision.get(revisionOf(object));
    if (told !== undefined) expect(meaning(object)).toBe(told);
    this.seen.set(name, meaning(object));
  }

  matches(state: string): boolean {
    if (this.#selected === undefined) return true;
    return this.#version === 'v1' ? state === this.#selected : state.startsWith(`${this.#selected}:`);
  }
}

test.each([1, 2, 3])(
  'writes, lists and watches in two versions beside a webhook that fails at random, story %i: nothing is lost, nothing is wrong',
  async (seed) => {
    const random = seededRandom(seed);
    let wrongShare = 0.25;
    await using webhook = await WebhookServer.start(moody(random, () => wrongShare));
    await using server = await startServer({ crds: [endpointCrd(webhook.clientConfig)], listen: false });
    const story = new Story(server, random);
    const informers = [
      { informer: new Informer(story, 'v1'), last: 'last-b' },
      { informer: new Informer(story, 'v2'), last: 'last-b' },
      { informer: new Informer(story, 'v1', 'a:1'), last: 'last-a' },
      { informer: new Informer(story, 'v2', 'b'), last: 'last-b' },
    ];
    const following = informers.map(({ informer, last }) => informer.follow(last));
    const names = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'];
    await Promise.all([
      ...names.map(async (name) => {
        for (let step = 0; step < 40; step += 1) await story.write(name);
      }),
      (async () => {
        for (let step = 0; step < 40; step += 1) await story.list(pick<Version>(random, ['v1', 'v2']));
      })(),
    ]);
    wrongShare = 0;
    await story.call('POST', endpointsPath('v2'), endpointV2('last-a', 'a', 1));
    await story.call('POST', endpointsPath('v2'), endpointV2('last-b', 'b', 0));
    story.state.set('last-a', 'a:1').set('last-b', 'b:0');
    for (const version of ['v1', 'v2'] as const) {
      // What informers have under way may still go wrong, and lists share it.
      const list = () => story.call('GET', endpointsPath(version));
      const { body } = await until(list, ({ code }) => code === 200);
      const items = body['items'] as KubeObject[];
      expect(new Map(items.map((item) => [nameOf(item), meaning(item)]))).toEqual(new Map(story.state));
    }
    await Promise.all(following);
    for (const { informer } of informers) {
      const expected = [...story.state].filter(([, state]) => informer.matches(state));
      expect(informer.seen).toEqual(new Map(expected));
    }
    expect(story.successes).toBeGreaterThan(100);
    expect(story.failures).toBeGreaterThan(20);
    expect(informers[0]?.informer.errors).toBeGreaterThan(0);
  },
  60_000,
);
