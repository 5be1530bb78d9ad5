import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { widgetCrdOf } from '../fixtures/widgets.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        size: { type: 'integer', maximum: 100 },
        color: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        shade: { type: 'object', properties: { depth: { type: 'integer', default: 3 } } },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, note: { type: 'string' } } },
  },
};

const version = (name: string, storage: boolean): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
});

/** Widgets of example.com, served as v1 and v1beta1. */
export const widgetCrd = widgetCrdOf([version('v1', true), version('v1beta1', false)]);

/** What a client gets. */
export interface Answer {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are of many kinds, and tests say what they expect.
  readonly body: any;
  readonly warnings: readonly string[];
}

/** A server with widgets, and calls of it that are short to write. */
export class Widgets {
  readonly server: IlkServer;

  private constructor(server: IlkServer) {
    this.server = server;
  }

  static async start(options: ServerOptions = {}): Promise<Widgets> {
    return new Widgets(await startServer({ listen: false, crds: [widgetCrd], ...options }));
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await this.server.fetch(path, {
      method,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const warning = response.headers.get('warning') ?? '';
    return {
      code: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      warnings: [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
        text.replaceAll('\\"', '"'),
      ),
    };
  }

  /** The path of widgets, or of one. */
  path(name = '', { version: inVersion = 'v1', query = '' } = {}): string {
    const one = name === '' ? '' : `/${name}`;
    return `/apis/example.com/${inVersion}/namespaces/default/widgets${one}${query}`;
  }

  create(name: string, spec: object = {}, query = ''): Promise<Answer> {
    return this.call('POST', this.path('', { query }), widget(name, spec));
  }

  /** Puts a configuration of webhooks in the place of the one of that name. */
  async configure(
    phase: 'mutating' | 'validating',
    webhooks: readonly object[],
    name = 'hooks',
  ): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`;
    await this.call('DELETE', `${path}/${name}`);
    const { code, body } = await this.call('POST', path, { metadata: { name }, webhooks });
    if (code !== 201) throw new Error(body.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

export function widget(name: string, spec: object = {}, inVersion = 'v1'): object {
  return { apiVersion: `example.com/${inVersion}`, kind: 'Widget', metadata: { name }, spec };
}
