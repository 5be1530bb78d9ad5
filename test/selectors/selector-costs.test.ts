import { expect, test } from 'vitest';
import type { SlowRequest } from '../../src/http/index.ts';
import { selectableWidgetCrd, WidgetServer, selectableVersion } from '../fixtures/selectable-widgets.ts';
import { widget } from '../fixtures/widgets.ts';

/** What selectors cost can be seen: indexes in metrics, slow requests by a callback. */

const crds = [selectableWidgetCrd(selectableVersion('v1', ['.spec.color', '.spec.tags[*]']))];

test('the cost of indexes is a metric by kind and field', async () => {
  const shop = await WidgetServer.open({ crds });
  const metrics = async () => {
    const text = await (await shop.server.fetch('/metrics')).text();
    return text.split('\n').filter((line) => line.startsWith('ilk_selector_index_'));
  };
  expect(await metrics()).toEqual([]);
  await shop.stock();
  await shop.create(widget('widget1', { color: 'blue', tags: ['a', 'b'] }));
  await shop.names({ fieldSelector: 'spec.color=blue' });
  await shop.names({ fieldSelector: 'spec.tags[*]=a' });
  const before = new Map((await metrics()).map((line) => line.split(' ') as [string, string]));
  const of = (metric: string, field: string) =>
    `ilk_selector_index_${metric}{group="example.com",resource="widgets",field="${field}"}`;
  const count = (counts: Map<string, string>, metric: string, field: string) =>
    Number(counts.get(of(metric, field)));
  const objects = (await shop.names({})).length;
  expect(count(before, 'entries', 'spec.color')).toBe(objects);
  expect(count(before, 'entries', 'spec.tags[*]')).toBe(objects + 1);
  expect(count(before, 'values', 'spec.tags[*]')).toBe(3);
  await shop.create(widget('widget2', { color: 'green' }));
  const after = new Map((await metrics()).map((line) => line.split(' ') as [string, string]));
  expect(count(after, 'entries', 'spec.color')).toBe(objects + 1);
  expect(count(after, 'changes_total', 'spec.color')).toBe(count(before, 'changes_total', 'spec.color') + 1);
  await shop.close();
});

test('a slow request is logged with its selector; a watch is not', async () => {
  const slow: SlowRequest[] = [];
  let now = 0;
  const clock = { now: () => (now += 700) };
  const shop = await WidgetServer.open({
    crds,
    clock,
    slowRequests: { fromMs: 0, onSlow: (request) => slow.push(request) },
  });
  slow.length = 0;
  await shop.names({ fieldSelector: 'spec.color=blue', labelSelector: 'a=b' });
  await shop.call('GET', `${WidgetServer.path()}?fieldSelector=a%0Ab`);
  await shop.call('GET', `${WidgetServer.path()}/none?x=${'y'.repeat(1000)}`);
  const watch = await shop.server.fetch(`${WidgetServer.path()}?watch=true`);
  await watch.body?.cancel();
  const path = WidgetServer.path();
  expect(slow.map(({ ms, user: _, userAgent: __, ...rest }) => ({ ...rest, isLong: ms >= 700 }))).toEqual([
    {
      method: 'GET',
      path,
      selector: 'fieldSelector=spec.color=blue&labelSelector=a=b',
      code: 200,
      isLong: true,
    },
    { method: 'GET', path, selector: 'fieldSelector=a b', code: 400, isLong: true },
    { method: 'GET', path: `${path}/none`, selector: '', code: 404, isLong: true },
  ]);
  await shop.close();
});

test('and is not told of where it is quicker than the bound', async () => {
  const slow: SlowRequest[] = [];
  const slowRequests = { fromMs: 1000, onSlow: (request: SlowRequest) => slow.push(request) };
  const shop = await WidgetServer.open({ crds, clock: { now: () => 0 }, slowRequests });
  await shop.names({});
  expect(slow).toEqual([]);
  await shop.close();
});
