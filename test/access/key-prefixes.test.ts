import { expect, test } from 'vitest';
import { Api, objectOf } from '../controllers/api.ts';
import { crdOf } from '../fixtures/crd.ts';

/** A kind and a namespace whose names begin with those of others (CVE-2022-3162). */
async function startWithPrefixes() {
  const longer = crdOf('Widget');
  const names = { plural: 'widgetsx', singular: 'widgetx', kind: 'Widgetx', listKind: 'WidgetxList' };
  const api = await Api.start({
    crds: [
      longer,
      { ...longer, metadata: { name: 'widgetsx.example.com' }, spec: { ...longer.spec, names } },
    ],
  });
  for (const namespace of ['ns', 'ns1']) {
    await api.namespace(namespace);
    await api.create(at(namespace, 'widgets'), objectOf('Widget', `widget-of-${namespace}`));
    await api.create(at(namespace, 'widgetsx'), objectOf('Widgetx', `widgetx-of-${namespace}`));
  }
  return api;
}

const at = (namespace: string, plural: string) => `/apis/example.com/v1/namespaces/${namespace}/${plural}`;

test('lists and deletions of a kind in a namespace stop where a longer name begins', async () => {
  await using api = await startWithPrefixes();
  const namesAt = async (path: string) => {
    const items: readonly { metadata: { name: string } }[] = (await api.get(path)).body.items;
    return items.map(({ metadata }) => metadata.name);
  };
  expect(await namesAt(at('ns', 'widgets'))).toEqual(['widget-of-ns']);
  expect(await namesAt('/apis/example.com/v1/widgets')).toEqual(['widget-of-ns', 'widget-of-ns1']);
  await api.delete(at('ns', 'widgets'));
  expect(await namesAt('/apis/example.com/v1/widgets')).toEqual(['widget-of-ns1']);
  expect(await namesAt('/apis/example.com/v1/widgetsx')).toEqual(['widgetx-of-ns', 'widgetx-of-ns1']);
  await api.delete('/api/v1/namespaces/ns');
  await api.gone('/api/v1/namespaces/ns');
  expect(await namesAt('/apis/example.com/v1/widgetsx')).toEqual(['widgetx-of-ns1']);
});

test.each([
  '/apis/example.com/v1/namespaces/ns/widgets%2Fwidgets',
  '/apis/example.com/v1/namespaces/ns%2F..%2Fns1/widgets/widget-of-ns1',
  '/apis/example.com/v1/namespaces/ns/widgets/..%2Fwidgetsx%2Fwidgetx-of-ns',
  '/apis/example.com/v1/namespaces/ns/WIDGETS/widget-of-ns',
  '/apis/example.com/v1/namespaces/ns/widgets/%2e%2e',
])('%s finds nothing', async (path) => {
  await using api = await startWithPrefixes();
  const { code } = await api.get(path);
  expect([400, 404]).toContain(code);
});
