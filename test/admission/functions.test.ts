import { expect, test } from 'vitest';
import { type AdmissionFunction, startServer } from '../../src/testing/index.ts';
import { widget, widgetCrd } from './widgets.test-support.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';

async function post(server: { fetch: Awaited<ReturnType<typeof startServer>>['fetch'] }, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    code: response.status,
    warning: response.headers.get('warning'),
    body: JSON.parse(await response.text()),
  };
}

const rules = [
  { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['widgets'] },
];
const paint: AdmissionFunction = {
  name: 'paint.example.com',
  phase: 'mutating',
  rules,
  admit: ({ object }) => ({ object: { ...Object(object), spec: { color: 'red' } }, warnings: ['painted'] }),
};
const refuse: AdmissionFunction = {
  name: 'names.example.com',
  phase: 'validating',
  rules,
  admit: ({ name }) => {
    if (name === 'bad') throw new Error('a bad name');
    return name === 'worse' ? { message: 'a worse name', code: 403 } : undefined;
  },
};

test('functions admit writes as webhooks do, in forks too', async () => {
  await using server = await startServer({ listen: false, crds: [widgetCrd], webhooks: [paint, refuse] });
  const { code, warning, body } = await post(server, widget('a'));
  expect([code, warning, body.spec]).toEqual([201, '299 - "painted"', { color: 'red' }]);
  const denied = 'admission webhook "names.example.com" denied the request: a';
  await using fork = await server.fork();
  for (const one of [server, fork]) {
    expect((await post(one, widget('bad'))).body).toMatchObject({ code: 400, message: `${denied} bad name` });
    expect((await post(one, widget('worse'))).body).toMatchObject({
      code: 403,
      message: `${denied} worse name`,
    });
  }
});

test('faults apply to them as to any webhook', async () => {
  await using server = await startServer({ listen: false, crds: [widgetCrd], webhooks: [refuse] });
  server.faults.add({ fault: 'webhook', code: 503, message: 'busy' });
  const { code, body } = await post(server, widget('a'));
  expect([code, body.message]).toEqual([
    500,
    'Internal error occurred: failed calling webhook "names.example.com": failed to call webhook: the server is currently unable to handle the request',
  ]);
});
