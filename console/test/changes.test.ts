import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IlkServer } from '../../src/testing/index.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { changedFields } from '../src/events/changed-fields.ts';
import { expectAccessible } from './axe.test-support.ts';
import { startBrowser } from './browser.test-support.ts';
import { create, leave, open, startWithConsole, visitAsAdmin } from './server.test-support.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, color: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { color },
});

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({ crds: [widgetCrd] });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('windows side by side follow kinds and selectors, say what changed, and stay in the address', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  const widgets = page.getByRole('region', { name: /^Window \d: Widget/ });
  await widgets.getByText('Live', { exact: true }).waitFor();
  await page
    .getByRole('region', { name: /^Window \d: Event/ })
    .getByText('Live', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Window', exact: true }).click();
  const third = page.getByRole('region', { name: /: Choose a kind/ });
  await third.getByLabel('Kind').selectOption({ label: 'Widget (example.com)' });
  await widgets.nth(1).getByLabel('Fields').fill('spec.color=blue');
  await page.keyboard.press('Enter');
  await widgets.nth(1).getByText('Live', { exact: true }).waitFor();
  await expectAccessible(page);
  await create(server, path, widget('lamp', 'red'));
  await widgets.nth(0).getByRole('link', { name: 'default/lamp' }).waitFor();
  await server.fetch(`${path}/lamp`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"spec":{"color":"blue","size":1}}',
  });
  const change = widgets.nth(0).getByRole('listitem').filter({ hasText: 'spec.color' }).first();
  await change.getByText('spec.color "red" → "blue"').waitFor();
  await change.getByText('spec.size nothing → 1').waitFor();
  // It began to match there.
  await widgets.nth(1).getByText('added').waitFor();
  await create(server, '/api/v1/namespaces/default/events', {
    metadata: { name: 'burnt-out' },
    involvedObject: { kind: 'Widget', name: 'lamp', namespace: 'default' },
    type: 'Warning',
    reason: 'BurntOut',
    message: '<img src=x onerror=alert(1)>',
  });
  await page.getByText('Warning BurntOut Widget lamp: <img src=x onerror=alert(1)>').waitFor();
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => page.getByRole('log').count()).toBe(3);
  await page.getByRole('button', { name: 'Close this window' }).last().click();
  await expect.poll(() => page.getByRole('log').count()).toBe(2);
  await open(page, '/objects/example.com/v1/widgets?namespace=default');
  await page.getByRole('main').getByRole('link', { name: 'Changes' }).click();
  await page.getByLabel('Namespace').waitFor();
  expect(await page.getByLabel('Namespace').inputValue()).toBe('default');
  await leave(visitor);
});

test('fields that changed, by path; names that mean harm are names', () => {
  const before = JSON.parse('{"a":{"b":1,"__proto__":{"x":1}},"l":[1,2],"metadata":{"resourceVersion":"1"}}');
  const after = JSON.parse(
    '{"a":{"c":1,"__proto__":{"x":2}},"l":[1,3,4],"metadata":{"resourceVersion":"2"}}',
  );
  expect(changedFields(before, after, 10)).toEqual([
    { path: 'a.__proto__.x', before: '1', after: '2' },
    { path: 'a.b', before: '1', after: undefined },
    { path: 'a.c', before: undefined, after: '1' },
    { path: 'l[1]', before: '2', after: '3' },
    { path: 'l[2]', before: undefined, after: '4' },
  ]);
  expect(changedFields(before, after, 1)).toHaveLength(1);
});
