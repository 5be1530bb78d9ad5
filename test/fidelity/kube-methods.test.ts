import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { crdOf, versionOf } from '../fixtures/crd.ts';

/**
 * What a kube-apiserver answers to each method, for paths of every kind: a row for each, recorded by
 * `tools/record/kube-methods` from a server with the CRD and the object below. Not among them: HEAD of a watch, which upstream
 * leaves open and Ilk refuses.
 */
interface Row {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  readonly type: string;
  readonly message?: string;
  /** The Content-Length of a refusal, where its body is left out. */
  readonly length?: string;
}

const data = readFileSync(new URL('kube-methods.test-data.jsonl', import.meta.url), 'utf8');
const rows: readonly Row[] = data
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const spec = { type: 'object', properties: { size: { type: 'integer' } } };
const crd = crdOf('Head', {
  names: { listKind: 'HeadList' },
  versions: [versionOf({ spec }, { subresources: { status: {} } })],
});
const head = {
  apiVersion: 'example.com/v1',
  kind: 'Head',
  metadata: { name: 'a', namespace: 'default' },
  spec: { size: 1 },
};

let server: IlkServer;
let authorization: string;
beforeAll(async () => {
  server = await startServer({ crds: [crd], objects: [head], disableControllers: ['garbage-collector'] });
  authorization = `Bearer ${/token: "?([\w-]+)/.exec(server.kubeconfig)?.[1]}`;
});
afterAll(() => server.close());

/** By a client that knows all methods and leaves answers as they are. */
function ask({ method, path }: Row): Promise<Omit<Row, 'method' | 'path'>> {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { accept: 'application/json', authorization, ...(body && { 'content-type': contentType }) };
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => {
        const code = answer.statusCode ?? 0;
        const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
        if (code < 400) return resolve({ code, type });
        if (method === 'HEAD') return resolve({ code, type, length: answer.headers['content-length'] ?? '' });
        const message = type === 'application/json' ? JSON.parse(text).message : text.trim();
        resolve({ code, type, message });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each(rows)('$method $path', async (row) => {
  const { method: _, path: __, ...answer } = row;
  expect(await ask(row)).toEqual(answer);
});

test('the length of a body that HEAD leaves out is that of the body of GET', async () => {
  const path = '/apis/example.com/v1/namespaces/default/heads/a';
  const lengthBy = async (method: string) => {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization } });
    return answer.headers.get('content-length');
  };
  const length = await lengthBy('GET');
  expect(Number(length)).toBeGreaterThan(100);
  expect(await lengthBy('HEAD')).toBe(length);
});
