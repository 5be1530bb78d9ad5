import { afterAll, beforeAll } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { crdOf } from '../fixtures/crd.ts';

/** What a test reads of an answer. */
interface Answer {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any form
  readonly body: any;
  readonly warnings: readonly string[];
}

type Send = (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;

/** A CRD of namespaced widgets in mini.example.com; v1 is stored, v2 is served too. */
export function widgetCrd(properties: JsonObject, subresources: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const version = (name: string) => ({ name, served: true, storage: name === 'v1', schema, subresources });
  return crdOf('Widget', { group: 'mini.example.com', versions: [version('v1'), version('v2')] });
}

export const widgets = '/apis/mini.example.com/v1/namespaces/default/widgets';

/** A widget of a name with more fields. */
export function widget(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'mini.example.com/v1', kind: 'Widget', metadata: { name }, ...more };
}

/** A server for the tests of a file. Bodies that are texts are sent as they are, `merge` and `apply` stand for media types. */
export function widgetServer(crd: JsonObject): Send {
  let server: IlkServer;
  beforeAll(async () => {
    server = await startServer({ crds: [crd], listen: false, disableControllers: ['garbage-collector'] });
  });
  afterAll(() => server.close());
  return async (method, path, body, type = 'application/json') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': mediaTypes.get(type) ?? type };
    const response = await server.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: text }),
    });
    const warnings = (response.headers.get('warning') ?? '').split(/, (?=299 )/).filter(Boolean);
    const answer = await response.text();
    return { code: response.status, body: answer === '' ? undefined : JSON.parse(answer), warnings };
  };
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['merge', 'application/merge-patch+json'],
  ['json', 'application/json-patch+json'],
  ['apply', 'application/apply-patch+yaml'],
]);
