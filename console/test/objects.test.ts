import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IlkServer } from '../../src/testing/index.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser } from './browser.test-support.ts';
import { create, leave, open, tokenFor, startWithConsole, visitAsAdmin } from './server.test-support.ts';

const count = 1_200;
const path = '/apis/example.com/v1/namespaces/default/widgets';
const named = (name: string, color: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels: { tier: color === 'blue' ? 'a' : 'b' } },
  spec: { color },
});
const nameOf = (at: number) => `w-${String(at).padStart(5, '0')}`;

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  const objects = Array.from({ length: count }, (_, at) => named(nameOf(at), at % 3 === 0 ? 'blue' : 'red'));
  server = await startWithConsole({ crds: [widgetCrd], objects });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('a kind is counted, searched for, and opened as a table that loads as it is scrolled', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.getByRole('row', { name: /Widget ?widgets 1,200/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('wd');
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page.getByText('500 of 1,200 loaded, more as you scroll').waitFor();
  // Invisible rows are not in the DOM.
  expect(await page.locator('tbody tr').count()).toBeLessThan(100);
  await expectAccessible(page);
  const table = page.getByRole('region', { name: 'Objects' });
  await table.focus();
  await page.keyboard.press('End');
  await page.getByText('1,000 of 1,200 loaded, more as you scroll').waitFor();
  await page.keyboard.press('End');
  await page.getByText('1,200 objects').waitFor();
  await page.keyboard.press('End');
  await page.getByRole('link', { name: nameOf(count - 1) }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await table.focus();
  await page.keyboard.press('Home');
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('link', { name: nameOf(count - 1) })
    .waitFor();
  await leave(visitor);
});

test('a sort of a part says so, and can be made one of all', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/objects/example.com/v1/widgets?sort=-Name');
  await page.getByText('Only the 500 objects that are loaded are sorted.').waitFor();
  const first = page.getByRole('row').nth(1);
  await first.getByRole('link', { name: nameOf(499) }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Load and sort all' }).click();
  await page.getByText('1,200 objects').waitFor();
  await first.getByRole('link', { name: nameOf(count - 1) }).waitFor();
  await create(server, path, named('zebra', 'red'));
  await first.getByRole('link', { name: 'zebra' }).waitFor();
  await server.fetch(`${path}/zebra`, { method: 'DELETE' });
  await leave(visitor);
});

test('filters are completed, said as a command, and followed live', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/objects/example.com/v1/widgets');
  await page.getByText('500 of 1,200 loaded, more as you scroll').waitFor();
  const fields = page.getByLabel('Fields');
  await expect
    .poll(() => page.locator('.filter.fields option').first().getAttribute('value'))
    .toBe('spec.color=');
  await fields.fill('spec.color in (green)');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing matches').waitFor();
  await page
    .getByText("kubectl get widgets.v1.example.com -A --field-selector 'spec.color in (green)'")
    .waitFor();
  await create(server, path, named('new-one', 'green'));
  await page.getByRole('link', { name: 'new-one' }).waitFor();
  await page.getByText('1 object', { exact: true }).waitFor();
  await server.fetch(`${path}/new-one`, { method: 'DELETE' });
  await page.getByText('Nothing matches').waitFor();
  await fields.fill('spec.none=1');
  await page.keyboard.press('Enter');
  await page.getByText('field label not supported: spec.none').first().waitFor();
  await leave(visitor);
});

test('a user without rights sees the refusal of the server', async () => {
  const token = await tokenFor(server, 'visitor');
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(`${server.url}/console/`);
  await page.getByLabel('Token, or link').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  await page.getByRole('row', { name: /Widget ?widgets not allowed/ }).waitFor();
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page
    .getByText(
      'widgets.example.com is forbidden: User "system:serviceaccount:default:visitor" cannot list resource "widgets" in API group "example.com" at the cluster scope',
    )
    .waitFor();
  await expectAccessible(page);
  await leave(visitor);
});
