import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import { shirt, shirtCrd, shirtFields, ShirtShop, shirtVersion } from '../fixtures/shirts.ts';

/** Upstream's three shirts, among many that no test means. */
async function furnish(shop: ShirtShop): Promise<void> {
  await shop.stock();
  const front = { labels: { shelf: 'front' } };
  await shop.create(shirt('shirt1', { color: 'blue', size: 'S', count: 1, sold: true }, front));
  await shop.create(shirt('shirt2', { color: 'blue', count: 20, wash: '1h30m' }));
  await shop.create(shirt('shirt3', { color: 'green', size: 'L', sold: false }, front));
}

const merge = 'application/merge-patch+json';
/** Long enough for readers to wait for what comes, which is then brought to them. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shirts.tests.example.com';

async function furnished(indexes = true): Promise<ShirtShop> {
  const shop = await ShirtShop.open({ selectors: { indexes } });
  await furnish(shop);
  return shop;
}

describe.each([true, false])('field selectors, indexes %s', (indexes) => {
  describe('a list', () => {
    let shop: ShirtShop;
    beforeAll(async () => {
      shop = await furnished(indexes);
    });
    afterAll(() => shop.close());

    test.each<[string, string, readonly string[]]>([
      ['spec.color=blue', '', ['shirt1', 'shirt2']],
      ['spec.color==green', '', ['shirt3']],
      ['spec.size=M', '', ['shirt2']],
      ['spec.size!=XL', '', ['shirt1', 'shirt2', 'shirt3']],
      ['spec.color!=red,spec.size!=S', '', ['shirt2', 'shirt3']],
      ['spec.color=blue,spec.size=S', '', ['shirt1']],
      ['spec.color=blue,spec.color=green', '', []],
      ['spec.color=pink', '', []],
      ['spec.color=', '', []],
      ['spec.count=20', '', ['shirt2']],
      ['spec.sold=true', '', ['shirt1']],
      ['spec.sold=false', '', ['shirt3']],
      ['spec.wash=1h30m', '', ['shirt2']],
      ['spec.color=blue', 'shelf=front', ['shirt1']],
      ['spec.color!=red', 'shelf', ['shirt1', 'shirt3']],
      ['spec.color!=red', '!shelf', ['shirt2']],
      ['spec.color!=red', 'shelf!=front', ['shirt2']],
      ['spec.color!=red', 'shelf in (back,front)', ['shirt1', 'shirt3']],
      ['spec.color!=red', 'shelf notin (back,front)', ['shirt2']],
      ['', 'shelf=front', ['shirt1', 'shirt3']],
      ['metadata.name=shirt2', '', ['shirt2']],
      ['metadata.name=shirt2,spec.color=green', '', []],
      ['metadata.name!=shirt2,spec.color=blue', '', ['shirt1']],
      ['metadata.namespace=default,spec.color=blue', '', ['shirt1', 'shirt2']],
      ['metadata.namespace=other,spec.color=blue', '', []],
      ['spec.color=a\\,b', '', []],
    ])('by %j and labels %j', async (fieldSelector, labelSelector, names) => {
      expect(await shop.names({ fieldSelector, labelSelector })).toEqual(names);
      expect(await shop.names({ fieldSelector, labelSelector }, ShirtShop.path(''))).toEqual(
        fieldSelector.includes('namespace=other') ? [] : names,
      );
    });

    test.each(['GET', 'DELETE'])('an unknown field is refused, %s', async (method) => {
      const refusals = ['spec.note=x', 'spec.color=blue,status.other=1', 'metadata.labels=x', '__proto__=x'];
      for (const selector of refusals) {
        const path = `${ShirtShop.path()}?fieldSelector=${encodeURIComponent(selector)}`;
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
  let shop: ShirtShop;
  beforeEach(async () => {
    shop = await furnished(indexes);
  });
  afterEach(() => shop.close());

  describe('a list of what changes', () => {
    test('absent and null are the empty string; a status counts as well', async () => {
      await shop.create(shirt('bare'));
      await shop.create(shirt('nothing', { color: null }));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual(['bare', 'nothing']);
      await shop.patch('bare', { status: { phase: 'Ready' } }, '/status');
      expect(await shop.names({ fieldSelector: 'status.phase=Ready' })).toEqual(['bare']);
      expect(await shop.names({ fieldSelector: 'spec.color=,status.phase=' })).toEqual(['nothing']);
    });

    test('pages are exact, with their continue tokens and the revision that they began at', async () => {
      const query = { fieldSelector: 'spec.color!=red', limit: 1 };
      const first = await shop.list(query);
      expect(first.names).toEqual(['shirt1']);
      await shop.patch('shirt3', { spec: { color: 'red' } });
      await shop.patch('plain-149', { spec: { color: 'blue' } });
      await shop.create(shirt('shirt4', { color: 'blue' }));
      const second = await shop.list({ ...query, continue: first.continue });
      expect([second.names, second.revision]).toEqual([['shirt2'], first.revision]);
      const third = await shop.list({ ...query, continue: second.continue });
      expect([third.names, third.revision]).toEqual([['shirt3'], first.revision]);
      const rest =
        third.continue === '' ? [] : (await shop.list({ ...query, continue: third.continue })).names;
      expect(rest).toEqual([]);
    });

    test('a moment of the past, exactly', async () => {
      const { revision } = await shop.list({});
      await shop.patch('shirt1', { spec: { color: 'red' } });
      await shop.call('DELETE', `${ShirtShop.path()}/shirt2`);
      const past = { resourceVersion: revision, resourceVersionMatch: 'Exact' };
      const fieldSelector = 'spec.color=blue';
      expect((await shop.list({ fieldSelector, ...past })).names).toEqual(['shirt1', 'shirt2']);
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
        'ADDED shirt1 blue',
        'ADDED shirt2 blue',
        'BOOKMARK initial-events-end',
      ]);
      await shop.create(shirt('other', { color: 'green' }));
      const revision = await shop.create(shirt('shirt4', { color: 'blue' }));
      expect(await stream.take(1)).toEqual([`ADDED shirt4 blue ${revision}`]);
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
        const gone = await shop.patch('shirt1', { spec: { color: 'red' } });
        const back = await shop.patch('shirt1', { spec: { color: 'blue' } });
        const same = await shop.patch('shirt1', { spec: { count: 2 } });
        await shop.call('DELETE', `${ShirtShop.path()}/shirt1`);
        expect(await told).toEqual([
          `DELETED shirt1 blue ${gone}`,
          `ADDED shirt1 blue ${back}`,
          `MODIFIED shirt1 blue ${same}`,
          `DELETED shirt1 blue ${same + 1}`,
        ]);
      },
    );

    test('resumes where it was, and bookmarks say how far it is', async () => {
      const start = await now();
      const gone = await shop.patch('shirt1', { spec: { color: 'red' } });
      const added = await shop.patch('shirt3', { spec: { color: 'blue' } });
      expect(await (await shop.watch({ ...blue, ...start })).take(2)).toEqual([
        `DELETED shirt1 blue ${gone}`,
        `ADDED shirt3 blue ${added}`,
      ]);
      expect(await (await shop.watch({ ...blue, resourceVersion: gone })).take(1)).toEqual([
        `ADDED shirt3 blue ${added}`,
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
      for (let at = 0; at < 50; at += 1) await shop.patch('shirt1', { spec: { count: 1_000 + at } });
      const heard = await Promise.all(told);
      const kinds = heard.map((lines) => lines.map((line) => line.split(' ')[0]));
      expect(kinds.slice(0, 49)).toEqual(Array.from({ length: 49 }, () => ['ADDED', 'DELETED']));
      expect(kinds[49]).toEqual(['ADDED']);
    });
  });

  test('deletecollection deletes what is selected', async () => {
    const path = `${ShirtShop.path()}?fieldSelector=spec.color%3Dblue`;
    const { code, body } = await shop.call('DELETE', path);
    const items = body['items'];
    expect([code, Array.isArray(items) ? items.length : 0]).toEqual([200, 2]);
    expect(await shop.names({ fieldSelector: 'spec.color!=red' })).toEqual(['shirt3']);
    expect(((await shop.list({})).names as readonly string[]).length).toBe(151);
  });

  describe('a change of the CRD', () => {
    const change = async (...versions: JsonObject[]) => {
      const answer = await shop.call(
        'PATCH',
        crdPath,
        { spec: shirtCrd(...versions)['spec'] as KubeObject },
        merge,
      );
      expect(answer.code).toBe(200);
    };

    test('gives and takes fields at once', async () => {
      expect(await shop.names({ fieldSelector: 'spec.color=blue' })).toEqual(['shirt1', 'shirt2']);
      await change(shirtVersion('v1', ['.spec.note', '.spec.size']));
      expect(await shop.names({ fieldSelector: 'spec.color=blue' })).toBe(
        '400 field label not supported: spec.color',
      );
      expect(await shop.names({ fieldSelector: 'spec.size=L' })).toEqual(['shirt3']);
      await shop.patch('shirt1', { spec: { note: 'x' } });
      expect(await shop.names({ fieldSelector: 'spec.note=x' })).toEqual(['shirt1']);
    });

    test('a default that came, went or changed is seen by selectors', async () => {
      await shop.create(shirt('bare'));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual(['bare']);
      const properties = Object(Object(shirtVersion('v1', shirtFields)['schema']).openAPIV3Schema).properties
        .spec.properties;
      const color = { type: 'string', default: 'green' };
      await change(shirtVersion('v1', shirtFields, {}, { ...properties, color }));
      expect(await shop.names({ fieldSelector: 'spec.color=' })).toEqual([]);
      expect(await shop.names({ fieldSelector: 'spec.color=green' })).toEqual(['bare', 'shirt3']);
    });

    test('each version selects by its own fields', async () => {
      await change(shirtVersion('v1', ['.spec.color']), shirtVersion('v2', ['.spec.size', '.spec.count']));
      const v2 = ShirtShop.path('default', 'v2');
      expect(await shop.names({ fieldSelector: 'spec.color=green' })).toEqual(['shirt3']);
      expect(await shop.names({ fieldSelector: 'spec.size=L' }, v2)).toEqual(['shirt3']);
      expect(await shop.names({ fieldSelector: 'spec.color=green' }, v2)).toBe(
        '400 field label not supported: spec.color',
      );
      const stream = await shop.watch({ fieldSelector: 'spec.count=7' }, v2);
      await shop.patch('shirt3', { spec: { count: 7 } });
      expect((await stream.take(1))[0]).toMatch(/^ADDED shirt3 green /);
    });
  });
});

describe('the plan of a list or watch, for who asks', () => {
  let shop: ShirtShop;
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
    ['metadata.name=shirt1', '', 'scan: 1 (nothing to look up)'],
    ['', '', 'scan: 153 (nothing to look up)'],
  ])('by %j and labels %j', async (fieldSelector, labelSelector, plan) => {
    expect((await shop.list({ fieldSelector, labelSelector })).plan).toBe(plan);
  });

  test('of all namespaces, names are looked up too', async () => {
    const everywhere = ShirtShop.path('');
    expect((await shop.list({ fieldSelector: 'metadata.name=shirt1' }, everywhere)).plan).toBe(
      'index: metadata.name=shirt1 (1 of 153)',
    );
  });

  test('is only told on request, and as a warning for kubectl', async () => {
    const quiet = await shop.server.fetch(`${ShirtShop.path()}?fieldSelector=spec.color%3Dblue`);
    expect([quiet.headers.get('ilk-selector-plan'), quiet.headers.get('warning')]).toEqual([null, null]);
    const told = await shop.server.fetch(
      `${ShirtShop.path()}?fieldSelector=spec.color%3Dblue&selectorPlan=true`,
    );
    expect(told.headers.get('warning')).toBe('299 - "selector plan: index: spec.color=blue (2 of 153)"');
  });

  test('of a watch: how it begins, and by which value its events find it', async () => {
    const plan = async (query: string) => {
      const abort = new AbortController();
      const path = `${ShirtShop.path()}?watch=1&selectorPlan=1&${query}`;
      const { headers } = await shop.server.fetch(path, { signal: abort.signal });
      abort.abort();
      return headers.get('ilk-selector-plan');
    };
    expect(await plan('fieldSelector=spec.color%3Dblue')).toBe(
      'index: spec.color=blue (2 of 153); events: spec.color=blue',
    );
    expect(await plan('resourceVersion=5&fieldSelector=spec.color!%3Dblue')).toBe(
      'events: /registry/tests.example.com/shirts/default/*',
    );
  });

  test('with indexes off there is nothing to look up', async () => {
    const off = await ShirtShop.open({ selectors: { indexes: false } });
    await off.stock(3);
    expect((await off.list({ fieldSelector: 'spec.color=red' })).plan).toBe('scan: 3 (nothing to look up)');
    await off.close();
  });
});
