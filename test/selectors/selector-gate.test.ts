import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type JsonObject,
  type KubeObject,
  parseFeatureGates,
  type SelectorOptions,
} from '../../src/meta/index.ts';
import { selectableWidgetCrd, WidgetServer, selectableVersion } from '../fixtures/selectable-widgets.ts';
import { widget } from '../fixtures/widgets.ts';

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const crdPath = `${crdsPath}/widgets.example.com`;
const merge = 'application/merge-patch+json';

let dataDir: string;
let shop: WidgetServer;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ilk-gate-'));
});
afterEach(async () => {
  await shop.close();
  rmSync(dataDir, { recursive: true });
});

/** A server on the same data, restarted with the gate on or off, and with these selector options. */
async function start(gate: boolean, selectors: Partial<SelectorOptions> = {}): Promise<void> {
  shop = await WidgetServer.open({
    crds: [],
    storage: { kind: 'sqlite', dataDir },
    featureGates: parseFeatureGates(`CustomResourceFieldSelectors=${gate}`),
    selectors,
  });
}

async function restart(gate: boolean, selectors: Partial<SelectorOptions> = {}): Promise<void> {
  await shop.close();
  await start(gate, selectors);
}

/** Writes a CRD; gives the selectable fields that are stored. */
async function define(method: string, crd: KubeObject, path = crdsPath): Promise<readonly string[]> {
  const { code, body } = await shop.call(method, path, crd, method === 'PATCH' ? merge : undefined);
  expect([code, body['message']]).toEqual([method === 'POST' ? 201 : 200, undefined]);
  return fieldsOf(body);
}

const fieldsOf = (crd: JsonObject): readonly string[] =>
  Object(crd['spec']).versions.flatMap(({ selectableFields = [] }) =>
    Object(selectableFields).map(({ jsonPath }: { jsonPath: string }) => jsonPath),
  );

/** Creates widgets once their kind is served. */
async function stockUp(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    if ((await shop.server.fetch(WidgetServer.path())).status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await shop.create(widget('a', { color: 'blue' }));
  await shop.create(widget('b', { color: 'red' }));
}

const blue = () => shop.names({ fieldSelector: 'spec.color=blue' }).catch((error) => String(error));
const unsupported = '400 field label not supported: spec.color';

describe('the server gate CustomResourceFieldSelectors', () => {
  const color = selectableVersion('v1', ['.spec.color']);

  test('on, off and on again: fields that are stored stay, and come back to life', async () => {
    await start(true);
    expect(await define('POST', selectableWidgetCrd(color))).toEqual(['.spec.color']);
    await stockUp();
    expect(await blue()).toEqual(['a']);

    await restart(false);
    expect(await blue()).toBe(unsupported);
    await expect(shop.watch({ fieldSelector: 'spec.color=blue' })).rejects.toThrow(unsupported);
    expect(fieldsOf((await shop.call('GET', crdPath)).body)).toEqual(['.spec.color']);
    // An update of a CRD that has them may change them.
    const wider = selectableWidgetCrd(selectableVersion('v1', ['.spec.color', '.spec.size']));
    expect(await define('PATCH', { spec: wider['spec'] ?? null }, crdPath)).toEqual([
      '.spec.color',
      '.spec.size',
    ]);
    expect(await blue()).toBe(unsupported);

    await restart(true);
    expect(await blue()).toEqual(['a']);
    expect(await shop.names({ fieldSelector: 'spec.size=M' })).toEqual(['a', 'b']);
  });

  test('off, new ones are dropped: on create, and on update of a CRD without', async () => {
    await start(false);
    expect(await define('POST', selectableWidgetCrd(color))).toEqual([]);
    expect(await define('PATCH', { spec: selectableWidgetCrd(color)['spec'] ?? null }, crdPath)).toEqual([]);
    await stockUp();
    expect(await blue()).toBe(unsupported);
    expect(await shop.names({ fieldSelector: 'metadata.name=a' })).toEqual(['a']);

    await restart(true);
    expect(await blue()).toBe(unsupported);
    expect(await define('PATCH', { spec: selectableWidgetCrd(color)['spec'] ?? null }, crdPath)).toEqual([
      '.spec.color',
    ]);
    expect(await blue()).toEqual(['a']);
  });

  test('off, in several versions', async () => {
    await start(false);
    expect(await define('POST', selectableWidgetCrd(color, selectableVersion('v2', ['.spec.size'])))).toEqual(
      [],
    );
    await restart(true);
    const versions = selectableWidgetCrd(color, selectableVersion('v2', ['.spec.size']))['spec'] ?? null;
    expect(await define('PATCH', { spec: versions }, crdPath)).toEqual(['.spec.color', '.spec.size']);
    await restart(false);
    expect(await define('PATCH', { spec: versions }, crdPath)).toEqual(['.spec.color', '.spec.size']);
  });

  test('OpenAPI shows them while it is on', async () => {
    await start(true);
    await define('POST', selectableWidgetCrd(color));
    await stockUp();
    const published = async () => {
      const { body } = await shop.call('GET', '/openapi/v3/apis/example.com/v1');
      const schemas = Object(Object(body['components']).schemas);
      return ['Widget', 'WidgetList'].map(
        (kind) => schemas[`com.example.v1.${kind}`]['x-kubernetes-selectable-fields'],
      );
    };
    expect(await published()).toEqual([[{ fieldPath: 'spec.color' }], [{ fieldPath: 'spec.color' }]]);
    await restart(false);
    expect(await published()).toEqual([undefined, undefined]);
  });
});

test('a path through lists that is stored is not served while such paths are off', async () => {
  await start(true);
  const crd = selectableWidgetCrd(selectableVersion('v1', ['.spec.tags[*]', '.spec.color']));
  await define('POST', crd);
  await stockUp();
  await shop.patch('a', { spec: { tags: ['new'] } });
  const tagged = () => shop.names({ fieldSelector: 'spec.tags[*]=new' });
  expect(await tagged()).toEqual(['a']);
  await restart(true, { selectableArrayPaths: false });
  expect(await tagged()).toBe('400 field label not supported: spec.tags[*]');
  expect(await blue()).toEqual(['a']);
  expect(await define('PATCH', { metadata: { labels: { touched: 'yes' } } } as KubeObject, crdPath)).toEqual([
    '.spec.tags[*]',
    '.spec.color',
  ]);
  await restart(true);
  expect(await tagged()).toEqual(['a']);
});

test('metrics tell requests with selectors from those without', async () => {
  await start(true);
  await define('POST', selectableWidgetCrd(selectableVersion('v1', ['.spec.color'])));
  await stockUp();
  await shop.names({ fieldSelector: 'spec.color=blue' });
  await shop.names({ labelSelector: 'a=b' });
  await shop.names({ fieldSelector: 'spec.color=blue', labelSelector: 'a' });
  await shop.names({ fieldSelector: 'spec.size=1' });
  await (await shop.watch({ fieldSelector: 'spec.color=blue', resourceVersion: '1' })).close();
  await shop.call('DELETE', `${WidgetServer.path()}?fieldSelector=spec.color%3Dblue`);
  const text = await (await shop.server.fetch('/metrics')).text();
  const counted = text.split('\n').flatMap((line) => {
    const [name = ''] = /^apiserver_request_(total|duration_seconds_count)/.exec(line) ?? [];
    const label = (key: string) => new RegExp(`${key}="([^"]*)"`).exec(line)?.[1] ?? '';
    if (name === '' || label('resource') !== 'widgets' || label('verb') === 'POST') return [];
    const what = name === 'apiserver_request_total' ? `total ${label('code')}` : 'duration';
    return `${label('verb')} field ${label('has_field_selector')} label ${label('has_label_selector')} ${what} ${line.split(' ').at(-1)}`;
  });
  expect(counted.filter((line) => !line.includes('field false label false')).sort()).toEqual([
    'DELETECOLLECTION field true label false duration 1',
    'DELETECOLLECTION field true label false total 200 1',
    'LIST field false label true duration 1',
    'LIST field false label true total 200 1',
    'LIST field true label false duration 2',
    'LIST field true label false total 200 1',
    'LIST field true label false total 400 1',
    'LIST field true label true duration 1',
    'LIST field true label true total 200 1',
    'WATCH field true label false total 200 1',
  ]);
});
