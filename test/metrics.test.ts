import { expect, test } from 'vitest';
import { startServer } from '../src/testing/index.ts';
import type { IlkServer } from '../src/server.ts';
import { selectableWidgetCrd, selectableVersion } from './fixtures/selectable-widgets.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

/** The series of requests that name no resource, or one that matches: verb, resource, subresource, code and count. */
async function series(server: IlkServer, resource = /^$/): Promise<string[]> {
  const text = await (await server.fetch('/metrics')).text();
  return text.split('\n').flatMap((line) => {
    const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(line)?.[1] ?? '';
    if (!line.startsWith('apiserver_request_total') || !resource.test(label('resource'))) return [];
    const names = ['verb', 'group', 'version', 'resource', 'subresource', 'code'].map(label);
    return `${names.filter((name) => name !== '').join(' ')}: ${line.split(' ').at(-1)}`;
  });
}

test('requests for what is not served add no series', async () => {
  await using server = await startServer();
  for (let i = 0; i < 20; i += 1) {
    await server.fetch(`/apis/group-${i}/v1/things`);
    await server.fetch(`/apis/group-${i}/v1`);
    await server.fetch(`/api/v1/things-${i}`);
    await server.fetch(`/path-${i}`);
    await server.fetch(`/api/v1/namespaces/default/configmaps/a/sub-${i}`);
    await server.fetch(`/apis/group-${i}/v1/things`, { method: 'PROPFIND' });
  }
  expect(await series(server)).toEqual(['GET 404: 100', 'other 404: 20']);
  expect(await series(server, /thing|sub|configmaps/)).toEqual([]);
});

test('the series of a resource go with it', async () => {
  await using server = await startServer({ crds: [selectableWidgetCrd(selectableVersion('v1', []))] });
  expect((await server.fetch(widgets)).status).toBe(200);
  expect((await server.fetch(`${widgets}/a/scale`)).status).toBe(404);
  expect(await series(server, /widgets/)).toEqual(['LIST example.com v1 widgets 200: 1']);
  await server.fetch(`${crds}/widgets.example.com`, { method: 'DELETE' });
  await expect.poll(() => series(server, /widgets/)).toEqual([]);
  const text = await (await server.fetch('/metrics')).text();
  expect(text).not.toContain('widgets"');
});

test('watches are counted while they are open', async () => {
  await using server = await startServer();
  const { url, kubeconfig } = server;
  const headers = { authorization: `Bearer ${/token: (\S+)/.exec(kubeconfig)?.[1]}` };
  const openWatches = async () => {
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    return Number(/^ilk_open_watches (\d+)$/m.exec(text)?.[1]);
  };
  const end = new AbortController();
  const watched = () => fetch(`${url}/api/v1/namespaces?watch=1`, { headers, signal: end.signal });
  await Promise.all([watched(), watched()]);
  expect(await openWatches()).toBe(2);
  end.abort();
  await expect.poll(openWatches).toBe(0);
});
