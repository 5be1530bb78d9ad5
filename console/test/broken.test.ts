import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import type { IlkServer } from '../../src/testing/index.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { startBrowser } from './browser.test-support.ts';
import { boatCrd } from './definition.test-data.ts';
import { create, leave, open, startWithConsole, visitAsAdmin } from './server.test-support.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { color: 'red' },
});

let browser: Browser;
let server: IlkServer;
let isBroken = false;

/** What was `color` in v1 is `paint` in v2. */
function convert(boat: JsonObject, apiVersion: string): JsonObject {
  if (isBroken) throw new Error('the paint is <b>wet</b>');
  const { color, paint, ...rest } = boat['spec'] as JsonObject;
  const value = color ?? paint ?? 'blue';
  return {
    ...boat,
    apiVersion,
    spec: apiVersion.endsWith('v2') ? { ...rest, paint: value } : { ...rest, color: value },
  };
}

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({
    crds: [widgetCrd, boatCrd],
    conversions: {
      'boats.example.com': (boat, apiVersion) => convert(boat as JsonObject, apiVersion) as never,
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('a watch that has expired (410): the table reloads and continues, a window of changes reports missing changes', async () => {
  await create(server, path, widget('before'));
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/objects/example.com/v1/widgets');
  await page.getByRole('link', { name: 'before' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const expired = server.faults.add({
    fault: 'expired',
    match: { resources: ['widgets'] },
    open: true,
    count: 1,
  });
  await create(server, path, widget('meanwhile'));
  await page.getByRole('link', { name: 'meanwhile' }).waitFor();
  await expect.poll(() => expired.hits).toBe(1);
  await page.getByText('Live', { exact: true }).waitFor();
  await create(server, path, widget('after'));
  await page.getByRole('link', { name: 'after' }).waitFor();
  await page.getByText('3 objects', { exact: true }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Changes' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  server.faults.add({ fault: 'expired', match: { resources: ['widgets'] }, open: true, count: 1 });
  await create(server, path, widget('unseen'));
  await page.getByText('Changes are missing here').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await create(server, path, widget('seen'));
  await page.getByRole('link', { name: 'default/seen' }).waitFor();
  await leave(visitor);
});

test('a webhook converts a real object, and what it says when it fails is shown', async () => {
  await create(server, '/apis/example.com/v1/namespaces/default/boats', {
    apiVersion: 'example.com/v1',
    kind: 'Boat',
    metadata: { name: 'swift' },
    spec: { color: 'red' },
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1&tab=conversion');
  await page.getByText('A webhook converts between versions: it is asked now.').waitFor();
  await page.locator('.cm-deletedChunk').getByText('color: red').waitFor();
  await page.getByText('paint: red').waitFor();
  isBroken = true;
  // What was converted is kept with the object until it changes.
  await server.fetch('/apis/example.com/v1/namespaces/default/boats/swift', {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"spec":{"color":"blue"}}',
  });
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('tab', { name: 'Conversion' }).click();
  await page.getByText('the paint is <b>wet</b>').first().waitFor();
  isBroken = false;
  await leave(visitor);
});
