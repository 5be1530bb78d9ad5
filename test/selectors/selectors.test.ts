import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import {
  selectableWidgetCrd,
  selectableFields,
  WidgetServer,
  selectableVersion,
} from '../fixtures/selectable-widgets.ts';
import { widget } from '../fixtures/widgets.ts';

/** Upstream's three widgets, among many that no test means. */
async function furnish(shop: WidgetServer): Promise<void> {
  await shop.stock();
  const front = { labels: { shelf: 'front' } };
  await shop.create(widget('widget1', { color: 'blue', size: 'S', count: 1, sold: true }, front));
  await shop.create(widget('widget2', { color: 'blue', count: 20, wash: '1h30m' }));
  await shop.create(widget('widget3', { color: 'green', size: 'L', sold: false }, front));
}

const merge = 'application/merge-patch+json';
/** Long enough for readers to wait for what comes, which is then brought to them. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';

async function furnished(indexes = true): Promise<WidgetServer> {
  const shop = await WidgetServer.open({ selectors: { indexes } });
  await furnish(shop);
  return shop;
}

describe.each([true, false])('field selectors, indexes %s', (indexes) => {
  describe('a list', () => {
    let shop: WidgetServer;
    beforeAll(async () => {
      shop = await furnished(indexes);
    });
    afterAll(() => shop.close());

    test.each<[string, string, readonly string[]]>([
      ['spec.color=blue', '', ['widget1', 'widget2']],
      ['spec.color==green', '', ['widget3']],
      ['spec.size=M', '', ['widget2']],
      ['spec.size!=XL', '', ['widget1', 'widget2', 'widget3']],
      ['spec.color!=red,spec.size!=S', '', ['widget2', 'widget3']],
      ['spec.color=blue,spec.size=S', '', ['widget1']],
      ['spec.color=blue,spec.color=green', '', []],
      ['spec.color=pink', '', []],
      ['spec.color=', '', []],
      ['spec.count=20', '', ['widget2']],
      ['spec.sold=true', '', ['widget1']],
      ['spec.sold=false', '', ['widget3']],
      ['spec.wash=1h30m', '', ['widget2']],
      ['spec.color=blue', 'shelf=front', ['widget1']],
      ['spec.color!=red', 'shelf', ['widget1', 'widget3']],
      ['spec.color!=red', '!shelf', ['widget2']],
      ['spec.color!=red', 'shelf!=front', ['widget2']],
      ['spec.color!=red', 'shelf in (back,front)', ['widget1', 'widget3']],
      ['spec.color!=red', 'shelf notin (back,front)', ['widget2']],
      ['', 'shelf=front', ['widget1', 'widget3']],
      ['metadata.name=widget2', '', ['widget2']],
      ['metadata.name=widget2,spec.color=green', '', []],
      ['metadata.name!=widget2,spec.color=blue', '', ['widget1']],
      ['metadata.namespace=default,spec.color=blue', '', ['widget1', 'widget2']],
      ['metadata.namespace=other,spec.color=blue', '', []],
      ['spec.color=a\\,b', '', []],
    ])('by %j and labels %j', async (fieldSelector, labelSelector, names) => {
      expect(await shop.names({ fieldSelector, labelSelector })).toEqual(names);
      expect(await shop.names({ fieldSelector, labelSelector }, WidgetServer.path(''))).toEqual(
        fieldSelector.includes('namespace=other') ? [] : names,
      );
    });

    test.each(['GET', 'DELETE'])('an unknown field is refused, %s', async (method) => {
      const refusals = ['spec.note=x', 'spec.color=blue,status.other=1', 'metadata.labels=x', '__proto__=x'];
      for (const selector of refusals) {
        const path = `${WidgetServer.path()}?fieldSelector=${encodeURIComponent(selector)}`;
        const field = selector.split(',').at(-1)?.split('=')[0];
        expect(await shop.call(method, path)).toMatchObject({
          code: 400,
          body: { reason: 'BadRequest', message: `field label not supported: ${field}` },
        });
      }
    });
  });
});

describe.each([true, false])('field selectors where things change, indexes %s', (indexes) => {
  let shop: WidgetServer;
  beforeEach(async () => {
    shop = await furnished(indexes);
  });
  afterEach(() => shop.close());

  describe('a list of what changes', () => {
    test('absent and null are the empty string; a status counts as well', async () => {
      await shop.create(widget('bare', {}));
      await shop.create(widget('nothing', { color: null }));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual(['bare', 'nothing']);
      await shop.patch('bare', { status: { phase: 'Ready' } }, '/status');
      expect(await shop.names({ fieldSelector: 'status.phase=Ready' })).toEqual(['bare']);
      expect(await shop.names({ fieldSelector: 'spec.color=,status.phase=' })).toEqual(['nothing']);
    });

    test('pages are exact, with their continue tokens and the revision that they began at', async () => {
      const query = { fieldSelector: 'spec.color!=red', limit: 1 };
      const first = await shop.list(query);
      expect(first.names).toEqual(['widget1']);
      await shop.patch('widget3', { spec: { color: 'red' } });
      await shop.patch('plain-149', { spec: { color: 'blue' } });
      await shop.create(widget('widget4', { color: 'blue' }));
      const second = await shop.list({ ...query, continue: first.continue });
      expect([second.names, second.revision]).toEqual([['widget2'], first.revision]);
      const third = await shop.list({ ...query, continue: second.continue });
      expect([third.names, third.revision]).toEqual([['widget3'], first.revision]);
      const rest =
        third.continue === '' ? [] : (await shop.list({ ...query, continue: third.continue })).names;
      expect(rest).toEqual([]);
    });

    test('a moment of the past, exactly', async () => {
      const { revision } = await shop.list({});
      await shop.patch('widget1', { spec: { color: 'red' } });
      await shop.call('DELETE', `${WidgetServer.path()}/widget2`);
      const past = { resourceVersion: revision, resourceVersionMatch: 'Exact' };
      const fieldSelector = 'spec.color=blue';
      expect((await shop.list({ fieldSelector, ...past })).names).toEqual(['widget1', 'widget2']);
      expect((await shop.list({ fieldSelector })).names).toEqual([]);
    });
  });

  describe('a watch', () => {
    const blue = { fieldSelector: 'spec.color=blue' };
    const now = async () => ({ resourceVersion: (await shop.list({})).revision });

    test('tells of what is selected and nothing else, first of what is there', async () => {
      const stream = await shop.watch({
        ...blue,
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      });
      const lines = await stream.take(3);
      expect(lines.map((line) => line.replace(/ \d+$/, ''))).toEqual([
        'ADDED widget1 blue',
        'ADDED widget2 blue',
        'BOOKMARK initial-events-end',
      ]);
      await shop.create(widget('other', { color: 'green' }));
      const revision = await shop.create(widget('widget4', { color: 'blue' }));
      expect(await stream.take(1)).toEqual([`ADDED widget4 blue ${revision}`]);
    });

    test.each([
      ['one field', { fieldSelector: 'spec.color=blue' }],
      ['two fields', { fieldSelector: 'spec.color=blue,spec.size=S' }],
      ['with labels', { fieldSelector: 'spec.color=blue', labelSelector: 'shelf=front' }],
      ['none of several', { fieldSelector: 'spec.color!=red,spec.color!=green' }],
    ])(
      'an object that stops to match is DELETED as it was, at the revision of the change: %s',
      async (_, query) => {
        const stream = await shop.watch({ ...query, ...(await now()) });
        const told = stream.take(4);
        await turn();
        const gone = await shop.patch('widget1', { spec: { color: 'red' } });
        const back = await shop.patch('widget1', { spec: { color: 'blue' } });
        const same = await shop.patch('widget1', { spec: { count: 2 } });
        await shop.call('DELETE', `${WidgetServer.path()}/widget1`);
        expect(await told).toEqual([
          `DELETED widget1 blue ${gone}`,
          `ADDED widget1 blue ${back}`,
          `MODIFIED widget1 blue ${same}`,
          `DELETED widget1 blue ${same + 1}`,
        ]);
      },
    );

    test('resumes where it was, and bookmarks say how far it is', async () => {
      const start = await now();
      const gone = await shop.patch('widget1', { spec: { color: 'red' } });
      const added = await shop.patch('widget3', { spec: { color: 'blue' } });
      expect(await (await shop.watch({ ...blue, ...start })).take(2)).toEqual([
        `DELETED widget1 blue ${gone}`,
        `ADDED widget3 blue ${added}`,
      ]);
      expect(await (await shop.watch({ ...blue, resourceVersion: gone })).take(1)).toEqual([
        `ADDED widget3 blue ${added}`,
      ]);
      // The last seconds of a watch begin with a bookmark.
      const stream = await shop.watch({
        ...blue,
        resourceVersion: added,
        allowWatchBookmarks: 'true',
        timeoutSeconds: 3,
      });
      expect(await stream.take(1)).toEqual([`BOOKMARK ${added}`]);
    });

    test('an unknown field is refused', async () => {
      await expect(shop.watch({ fieldSelector: 'spec.note=x' })).rejects.toThrow(
        '400 field label not supported: spec.note',
      );
    });

    test('many watchers each hear of their own', async () => {
      const streams = await Promise.all(
        Array.from({ length: 50 }, async (_, at) =>
          shop.watch({ fieldSelector: `spec.count=${1_000 + at}`, ...(await now()) }),
        ),
      );
      const told = streams.map((stream, at) => stream.take(at < 49 ? 2 : 1));
      await turn();
      for (let at = 0; at < 50; at += 1) await shop.patch('widget1', { spec: { count: 1_000 + at } });
      const heard = await Promise.all(told);
      const kinds = heard.map((lines) => lines.map((line) => line.split(' ')[0]));
      expect(kinds.slice(0, 49)).toEqual(Array.from({ length: 49 }, () => ['ADDED', 'DELETED']));
      expect(kinds[49]).toEqual(['ADDED']);
    });
  });

  test('deletecollection deletes what is selected', async () => {
    const path = `${WidgetServer.path()}?fieldSelector=spec.color%3Dblue`;
    const { code, body } = await shop.call('DELETE', path);
    const items = body['items'];
    expect([code, Array.isArray(items) ? items.length : 0]).toEqual([200, 2]);
    expect(await shop.names({ fieldSelector: 'spec.color!=red' })).toEqual(['widget3']);
    expect(((await shop.list({})).names as readonly string[]).length).toBe(151);
  });

  describe('a change of the CRD', () => {
    const change = async (...versions: JsonObject[]) => {
      const answer = await shop.call(
        'PATCH',
        crdPath,
        { spec: selectableWidgetCrd(...versions)['spec'] as KubeObject },
        merge,
      );
      expect(answer.code).toBe(200);
    };

    test('gives and takes fields at once', async () => {
      expect(await shop.names({ fieldSelector: 'spec.color=blue' })).toEqual(['widget1', 'widget2']);
      await change(selectableVersion('v1', ['.spec.note', '.spec.size']));
      expect(await shop.names({ fieldSelector: 'spec.color=blue' })).toBe(
        '400 field label not supported: spec.color',
      );
      expect(await shop.names({ fieldSelector: 'spec.size=L' })).toEqual(['widget3']);
      await shop.patch('widget1', { spec: { note: 'x' } });
      expect(await shop.names({ fieldSelector: 'spec.note=x' })).toEqual(['widget1']);
    });

    test('a default that came, went or changed is seen by selectors', async () => {
      await shop.create(widget('bare', {}));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual(['bare']);
      const properties = Object(Object(selectableVersion('v1', selectableFields)['schema']).openAPIV3Schema)
        .properties.spec.properties;
      const color = { type: 'string', default: 'green' };
      await change(selectableVersion('v1', selectableFields, {}, { ...properties, color }));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual([]);
      expect(await shop.names({ fieldSelector: 'spec.color=green' })).toEqual(['bare', 'widget3']);
    });

    test('each version selects by its own fields', async () => {
      await change(
        selectableVersion('v1', ['.spec.color']),
        selectableVersion('v2', ['.spec.size', '.spec.count']),
      );
      const v2 = WidgetServer.path('default', 'v2');
      expect(await shop.names({ fieldSelector: 'spec.color=green' })).toEqual(['widget3']);
      expect(await shop.names({ fieldSelector: 'spec.size=L' }, v2)).toEqual(['widget3']);
      expect(await shop.names({ fieldSelector: 'spec.color=green' }, v2)).toBe(
        '400 field label not supported: spec.color',
      );
      const stream = await shop.watch({ fieldSelector: 'spec.count=7' }, v2);
      await shop.patch('widget3', { spec: { count: 7 } });
      expect((await stream.take(1))[0]).toMatch(/^ADDED widget3 green /);
    });
  });
});

describe('the plan of a list or watch, for who asks', () => {
  let shop: WidgetServer;
  beforeAll(async () => {
    shop = await furnished();
  });
  afterAll(() => shop.close());

  test.each([
    ['spec.color=blue', '', 'index: spec.color=blue (2 of 153)'],
    ['spec.color!=red', '', 'index: spec.color!=red (3 of 153)'],
    ['spec.color=red', '', 'scan: 153 (spec.color=red finds 150)'],
    ['spec.color=blue', 'shelf=front', 'index: label shelf=front and spec.color=blue (2 of 153)'],
    ['spec.color=green,spec.size=L', '', 'index: spec.color=green and spec.size=L (1 of 153)'],
    ['metadata.name!=a', '', 'scan: 153 (nothing to look up)'],
    ['metadata.name=widget1', '', 'scan: 1 (nothing to look up)'],
    ['', '', 'scan: 153 (nothing to look up)'],
  ])('by %j and labels %j', async (fieldSelector, labelSelector, plan) => {
    expect((await shop.list({ fieldSelector, labelSelector })).plan).toBe(plan);
  });

  test('of all namespaces, names are looked up too', async () => {
    const everywhere = WidgetServer.path('');
    expect((await shop.list({ fieldSelector: 'metadata.name=widget1' }, everywhere)).plan).toBe(
      'index: metadata.name=widget1 (1 of 153)',
    );
  });

  test('is only told on request, and as a warning for kubectl', async () => {
    const quiet = await shop.server.fetch(`${WidgetServer.path()}?fieldSelector=spec.color%3Dblue`);
    expect([quiet.headers.get('ilk-selector-plan'), quiet.headers.get('warning')]).toEqual([null, null]);
    const told = await shop.server.fetch(
      `${WidgetServer.path()}?fieldSelector=spec.color%3Dblue&selectorPlan=true`,
    );
    expect(told.headers.get('warning')).toBe('299 - "selector plan: index: spec.color=blue (2 of 153)"');
  });

  test('of a watch: how it begins, and by which value its events find it', async () => {
    const plan = async (query: string) => {
      const abort = new AbortController();
      const path = `${WidgetServer.path()}?watch=1&selectorPlan=1&${query}`;
      const { headers } = await shop.server.fetch(path, { signal: abort.signal });
      abort.abort();
      return headers.get('ilk-selector-plan');
    };
    expect(await plan('fieldSelector=spec.color%3Dblue')).toBe(
      'index: spec.color=blue (2 of 153); events: spec.color=blue',
    );
    expect(await plan('resourceVersion=5&fieldSelector=spec.color!%3Dblue')).toBe(
      'events: /registry/example.com/widgets/default/*',
    );
  });

  test('with indexes off there is nothing to look up', async () => {
    const off = await WidgetServer.open({ selectors: { indexes: false } });
    await off.stock(3);
    expect((await off.list({ fieldSelector: 'spec.color=red' })).plan).toBe('scan: 3 (nothing to look up)');
    await off.close();
  });
});
