import { setTimeout as sleep } from 'node:timers/promises';
import { HttpsClient } from '../fixtures/ilk-process.ts';
import { Random } from '../fuzz/random.ts';

const group = 'soak.example.com';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = `/apis/${group}/v1/namespaces/default/things`;
/** The number of objects, and of workers that write. */
const objectsMax = 300;
const workers = 4;
const watchers = 8;
const pauseMs = 10;
/** A steady rate, so that what the window of events holds is comparable: each worker writes so often where the server keeps up. */
const writeEveryMs = 60;

const crd = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-validations': [{ rule: 'self.size < 1000' }],
                properties: {
                  color: { type: 'string' },
                  size: { type: 'integer', default: 1 },
                  pad: { type: 'string' },
                },
              },
            },
          },
        },
      },
    ],
  },
});

/** What was done, and what went wrong. */
interface LoadCounts {
  readonly done: ReadonlyMap<string, number>;
  readonly wrong: ReadonlyMap<string, number>;
}

/** Creates, updates, patches, applies, deletes, lists, watches that come and go, CRDs that come and go. */
export class MixedLoad {
  readonly #kubeconfig: string;
  readonly #client: HttpsClient;
  readonly #random: Random;
  readonly #names = new Set<string>();
  readonly #done = new Map<string, number>();
  readonly #wrong = new Map<string, number>();
  #made = 0;
  #running = true;

  constructor(kubeconfig: string, seed: number) {
    this.#kubeconfig = kubeconfig;
    this.#client = new HttpsClient(kubeconfig);
    this.#random = new Random('soak', seed);
  }

  get counts(): LoadCounts {
    return { done: this.#done, wrong: this.#wrong };
  }

  /** Goes on until it is stopped. */
  async run(): Promise<void> {
    await this.#call('crd', 'POST', crds, { body: crd('things', 'Thing') });
    while ((await this.#client.call('GET', things)).code !== 200) await sleep(pauseMs);
    await Promise.all([
      ...Array.from({ length: workers }, () => this.#loop(() => this.#write(), writeEveryMs)),
      ...Array.from({ length: watchers }, () => this.#loop(() => this.#watch(), pauseMs)),
      this.#loop(() => this.#list(), 200),
      this.#loop(() => this.#crdComesAndGoes(), 500),
    ]);
    this.#client.close();
  }

  stop(): void {
    this.#running = false;
  }

  async #loop(step: () => Promise<void>, everyMs: number): Promise<void> {
    while (this.#running) {
      const startMs = performance.now();
      await step().catch((error: unknown) => count(this.#wrong, String(error)));
      await sleep(Math.max(pauseMs, everyMs - (performance.now() - startMs)));
    }
  }

  async #call(what: string, ...args: Parameters<HttpsClient['call']>): Promise<number> {
    const { code } = await this.#client.call(...args);
    count(this.#done, what);
    // Others may have been quicker, which is what conflicts and 404 say.
    if (code >= 400 && code !== 404 && code !== 409) count(this.#wrong, `${what}: ${code}`);
    return code;
  }

  async #write(): Promise<void> {
    const random = this.#random;
    const spec = {
      color: `c${random.below(20)}`,
      size: random.below(100),
      pad: 'p'.repeat(random.below(2_000)),
    };
    const present = [...this.#names];
    if (present.length < objectsMax / 2 || (random.chance(0.3) && present.length < objectsMax))
      return this.#create(spec);
    const name = random.pick(present);
    const path = `${things}/${name}`;
    const type = (contentType: string) => ({ contentType });
    switch (random.below(5)) {
      case 0:
        await this.#call('merge patch', 'PATCH', path, {
          body: { spec },
          ...type('application/merge-patch+json'),
        });
        return;
      case 1: {
        const body = [{ op: 'replace', path: '/spec/size', value: spec.size }];
        await this.#call('json patch', 'PATCH', path, { body, ...type('application/json-patch+json') });
        return;
      }
      case 2: {
        const body = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec };
        const query = `?fieldManager=m${random.below(3)}&force=true`;
        await this.#call('apply', 'PATCH', `${path}${query}`, {
          body,
          ...type('application/apply-patch+yaml'),
        });
        return;
      }
      case 3: {
        const body = { status: { seen: random.below(100) } };
        await this.#call('status', 'PATCH', `${path}/status`, {
          body,
          ...type('application/merge-patch+json'),
        });
        return;
      }
      default:
        this.#names.delete(name);
        await this.#call('delete', 'DELETE', path);
    }
  }

  async #create(spec: object): Promise<void> {
    const name = `t${this.#made++}`;
    const body = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec };
    if ((await this.#call('create', 'POST', things, { body })) === 201) this.#names.add(name);
  }

  async #list(): Promise<void> {
    const query = this.#random.pick([
      '',
      '?limit=50',
      '?fieldSelector=spec.color%3Dc1',
      '?labelSelector=a%3Db',
    ]);
    await this.#call('list', 'GET', `${things}${query}`);
  }

  /** A connection of its own for each: that is what comes and goes. */
  async #watch(): Promise<void> {
    const client = new HttpsClient(this.#kubeconfig);
    const query = this.#random.pick([
      '',
      '&fieldSelector=spec.color%3Dc1',
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    ]);
    try {
      const stream = await client.open('GET', `${things}?watch=1${query}`);
      count(this.#done, 'watch');
      stream.resume();
      await sleep(100 + this.#random.below(3_000));
      stream.destroy();
    } finally {
      client.close();
    }
  }

  async #crdComesAndGoes(): Promise<void> {
    const plural = `gone${this.#made++}s`;
    await this.#call('crd', 'POST', crds, { body: crd(plural, `Gone${this.#made}`) });
    const path = `/apis/${group}/v1/namespaces/default/${plural}`;
    const body = { apiVersion: `${group}/v1`, kind: `Gone${this.#made}`, metadata: { name: 'a' }, spec: {} };
    await this.#client.call('POST', path, { body });
    await this.#call('openapi', 'GET', `/openapi/v3/apis/${group}/v1`);
    await this.#call('crd', 'DELETE', `${crds}/${plural}.${group}`);
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
