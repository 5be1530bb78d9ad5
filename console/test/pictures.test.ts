import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { IlkServer } from '../../src/testing/index.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { boatCrd } from './definition.test-data.ts';
import { expectAccessible } from './axe.test-support.ts';
import { startBrowser } from './browser.test-support.ts';
import { create, leave, open, startWithConsole, visitAsAdmin } from './server.test-support.ts';

/** With `ILK_PICTURES=1` the pictures of the documentation are regenerated; without it axe only checks the views. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const isKept = process.env['ILK_PICTURES'] !== undefined;

const names = [
  'armchair',
  'bookshelf',
  'cabinet',
  'desk',
  'easel',
  'footstool',
  'hatstand',
  'lamp',
  'mirror',
];
const colors = ['blue', 'green', 'red'];
const objects = names.map((name, at) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: at % 2 === 0 ? 'default' : 'workshop', labels: { room: 'study' } },
  spec: { color: colors[at % 3], size: at + 1 },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
}));

/** Sends requests until the history of the server page has some points. */
async function busyUntil(page: Page, server: IlkServer): Promise<void> {
  const pointsOf = () => page.locator('.history polyline').getAttribute('points');
  for (let count = 0; ((await pointsOf()) ?? '').split(' ').length < 4; count += 1) {
    await create(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: `busy-${count}` } });
    await server.fetch('/apis/example.com/v1/widgets');
  }
}

test.each(['light', 'dark'] as const)('the main views, %s, on a desk and on a phone', async (colorScheme) => {
  const server = await startWithConsole({ crds: [widgetCrd, boatCrd], objects });
  const browser = await startBrowser();
  if (isKept) mkdirSync(folder, { recursive: true });
  const visitor = await visitAsAdmin(
    { browser, server },
    { colorScheme, viewport: { width: 1120, height: 640 } },
  );
  const { page } = visitor;
  const keep = async (name: string) => {
    await expectAccessible(page);
    if (isKept) await page.screenshot({ path: `${folder}console-${name}-${colorScheme}.png` });
  };
  await page.getByRole('row', { name: /Widget ?widgets 9/ }).waitFor();
  await keep('kinds');
  await open(page, '/objects/example.com/v1/widgets');
  await page.getByRole('link', { name: 'armchair' }).waitFor();
  await keep('objects');
  await open(page, '/object/example.com/v1/widgets/default/armchair');
  await page.getByRole('textbox', { name: 'Object as YAML' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await keep('object');
  await page.getByRole('tab', { name: 'Related' }).click();
  await page.getByText('Nothing belongs to it.').waitFor();
  await open(page, '/changes?windows=[{"kind":"widgets.v1.example.com"},{"kind":"events.v1."}]');
  const windows = page.getByRole('region', { name: /^Window/ });
  await windows.nth(1).getByText('Live', { exact: true }).waitFor();
  await windows.nth(0).getByText('Live', { exact: true }).waitFor();
  for (const color of ['red', 'blue'])
    await server.fetch('/apis/example.com/v1/namespaces/default/widgets/cabinet', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { color, size: color === 'red' ? 9 : 7 } }),
    });
  await page.getByText('spec.size').first().waitFor();
  await keep('changes');
  await open(page, '/playground');
  await page.getByRole('heading', { name: 'The object is refused' }).waitFor();
  await page.getByRole('textbox', { name: 'Object as YAML', exact: true }).waitFor();
  await keep('playground');
  await open(page, '/server');
  await page.getByRole('table', { name: 'Requests by verb' }).waitFor();
  await busyUntil(page, server);
  await keep('server');
  await open(page, '/definition/example.com/boats?version=v1');
  await page.getByRole('treeitem', { name: /^flags/ }).click();
  await page.getByText('a k8s-label-key').waitFor();
  await keep('definition');
  await page.getByRole('tab', { name: 'Gates' }).click();
  await page.getByRole('button', { name: 'Turn off Sailing' }).click();
  await page.getByText('No object holds').waitFor();
  await keep('gates');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 390, height: 780 });
  await open(page, '/objects/example.com/v1/widgets');
  await page.getByRole('link', { name: 'armchair' }).waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Kinds' }).first().waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  for (const [path, heading] of [
    ['/playground', 'The object is refused'],
    ['/server', 'Slow requests'],
  ] as const) {
    await open(page, path);
    await page.getByRole('heading', { name: heading }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
  await open(page, '/definition/example.com/boats?version=v1');
  await page.getByRole('treeitem', { name: /^flags/ }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await leave(visitor);
  await browser.close();
  await server.close();
});
