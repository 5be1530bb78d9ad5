import type { JsonObject, KubeObject } from '../src/meta/index.ts';
import { type IlkServer, type ServerOptions, startServer } from '../src/server.ts';
import { WatchStream } from './watch-stream.ts';

const text: JsonObject = { type: 'string' };

/** What upstream's test of field selectors has: a field without and one with a default, an integer and a boolean. */
export const shirtProperties: JsonObject = {
  color: { ...text, enum: ['blue', 'green', 'red', ''] },
  size: { ...text, default: 'M' },
  count: { type: 'integer' },
  sold: { type: 'boolean' },
  wash: { ...text, format: 'duration' },
  ports: { type: 'array', items: { type: 'object', properties: { name: text, port: { type: 'integer' } } } },
  tags: { type: 'array', items: text },
  note: text,
};

export function shirtVersion(
  name: string,
  selectable: readonly string[],
  more: JsonObject = {},
  properties: JsonObject = shirtProperties,
): JsonObject {
  return {
    name,
    served: true,
    storage: name === 'v1',
    selectableFields: selectable.map((jsonPath) => ({ jsonPath })),
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties },
          status: { type: 'object', properties: { phase: text } },
        },
      },
    },
    ...more,
  };
}

export const shirtFields = [
  '.spec.color',
  '.spec.size',
  '.spec.count',
  '.spec.sold',
  '.spec.wash',
  '.status.phase',
] as const;

export function shirtCrd(...versions: JsonObject[]): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shirts.tests.example.com' },
    spec: {
      group: 'tests.example.com',
      scope: 'Namespaced',
      names: { plural: 'shirts', singular: 'shirt', kind: 'Shirt', listKind: 'ShirtList' },
      versions: versions.length > 0 ? versions : [shirtVersion('v1', shirtFields)],
    },
  };
}

export function shirt(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'tests.example.com/v1', kind: 'Shirt', metadata: { name, ...metadata }, spec };
}

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  /** What the server says it did to find the objects. */
  readonly plan: string | null;
}

/** A server with shirts, and what tests do with them. */
export class ShirtShop {
  readonly server: IlkServer;
  readonly #streams: WatchStream[] = [];

  constructor(server: IlkServer) {
    this.server = server;
  }

  static async open(options: ServerOptions = {}): Promise<ShirtShop> {
    return new ShirtShop(await startServer({ crds: [shirtCrd()], listen: false, ...options }));
  }

  /** The collection in a namespace, or in all of them. */
  static path(namespace = 'default', version = 'v1'): string {
    const root = `/apis/tests.example.com/${version}`;
    return namespace === '' ? `${root}/shirts` : `${root}/namespaces/${namespace}/shirts`;
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await this.server.fetch(path, { method, ...init });
    return {
      code: response.status,
      plan: response.headers.get('ilk-selector-plan'),
      body: JSON.parse(await response.text()),
    };
  }

  /** Creates a shirt; gives its revision. */
  async create(object: KubeObject, namespace = 'default'): Promise<number> {
    const { code, body } = await this.call('POST', ShirtShop.path(namespace), object);
    if (code !== 201) throw new Error(String(body['message']));
    return revisionOf(body);
  }

  /** So many red shirts, enough for indexes to be worth their while: `plain-000`, ... */
  async stock(count = 150): Promise<void> {
    const name = (at: number) => `plain-${String(at).padStart(3, '0')}`;
    const spec = { color: 'red', size: 'XL' };
    for (let from = 0; from < count; from += 100) {
      const length = Math.min(100, count - from);
      await Promise.all(Array.from({ length }, (_, at) => this.create(shirt(name(from + at), spec))));
    }
  }

  async patch(name: string, patch: JsonObject, subresource = ''): Promise<number> {
    const path = `${ShirtShop.path()}/${name}${subresource}`;
    const { code, body } = await this.call('PATCH', path, patch, 'application/merge-patch+json');
    if (code !== 200) throw new Error(String(body['message']));
    return revisionOf(body);
  }

  /** Names that a list finds, or the refusal; the plan's first word tells how. */
  async names(query: Query, path = ShirtShop.path()): Promise<readonly string[] | string> {
    const { code, body } = await this.call('GET', `${path}?${queryText(query)}`);
    return code === 200 ? namesIn(body) : `${code} ${String(body['message'])}`;
  }

  async list(query: Query, path = ShirtShop.path()) {
    const { code, body, plan } = await this.call(
      'GET',
      `${path}?${queryText({ selectorPlan: 'true', ...query })}`,
    );
    const metadata = Object(body['metadata']);
    return {
      code,
      plan,
      names: code === 200 ? namesIn(body) : String(body['message']),
      continue: String(metadata.continue ?? ''),
      revision: Number(metadata.resourceVersion),
    };
  }

  async watch(query: Query, path = ShirtShop.path()): Promise<WatchStream> {
    const response = await this.server.fetch(`${path}?${queryText({ watch: 1, ...query })}`);
    if (response.status !== 200)
      throw new Error(`${response.status} ${JSON.parse(await response.text()).message}`);
    const stream = new WatchStream(response);
    this.#streams.push(stream);
    return stream;
  }

  async close(): Promise<void> {
    // The server ends its watches; a stream that somebody waits for cannot be closed before.
    await this.server.close();
    await Promise.all(this.#streams.splice(0).map((stream) => stream.close()));
  }
}

export type Query = Readonly<Record<string, string | number>>;

export function queryText(query: Query): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

function namesIn(body: JsonObject): string[] {
  const items = body['items'];
  return Array.isArray(items) ? items.map((item) => String(Object(Object(item).metadata).name)) : [];
}

function revisionOf(body: JsonObject): number {
  return Number(Object(body['metadata']).resourceVersion);
}
