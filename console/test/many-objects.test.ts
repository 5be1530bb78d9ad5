import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { startBrowser } from './browser.test-support.ts';
import { create, leave, open, startWithConsole, visitAsAdmin } from './server.test-support.ts';

const count = 100_000;
const path = '/apis/example.com/v1/namespaces/default/widgets';
const nameOf = (at: number) => `w-${String(at).padStart(6, '0')}`;
const named = (name: string, color: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels: { tier: color } },
  spec: { color },
});

/** The longest time that the page has stood still, in ms, since it was asked last. */
const watchPauses = `(() => {
  self.longestPause = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestPause = Math.max(longestPause, duration);
  }).observe({ type: 'longtask' });
})()`;

async function measured(page: Page, what: string, action: () => Promise<unknown>): Promise<void> {
  await page.evaluate('longestPause = 0');
  const start = performance.now();
  await action();
  const ms = Math.round(performance.now() - start);
  console.log(
    `${what}: ${ms} ms, longest pause ${Math.round(await page.evaluate<number>('longestPause'))} ms`,
  );
}

test("100,000 objects: the first page comes alone, filters are the server's, a sort says what it sorts, rows stay live", async () => {
  const objects = Array.from({ length: count }, (_, at) =>
    named(nameOf(at), at % 1_000 === 0 ? 'green' : 'red'),
  );
  const server = await startWithConsole({ crds: [widgetCrd], objects });
  const browser = await startBrowser();
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.evaluate(watchPauses);
  const asked: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/widgets')) asked.push(url);
  });
  await page.getByRole('row', { name: /Widget ?widgets 100,000/ }).waitFor();
  const table = page.getByRole('region', { name: 'Objects' });
  const first = page.getByRole('row').nth(1);
  await measured(page, 'first table', async () => {
    await open(page, '/objects/example.com/v1/widgets');
    await page.getByText('500 of 100,000 loaded, more as you scroll').waitFor();
  });
  await measured(page, 'next page', async () => {
    await table.focus();
    await page.keyboard.press('End');
    await page.getByText('1,000 of 100,000 loaded').waitFor();
  });
  expect(await page.locator('tbody tr').count()).toBeLessThan(100);
  await measured(page, 'sort of what is loaded', async () => {
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByText('Filter to 20,000 or fewer to sort all of them.').waitFor();
  });
  // A new object beyond what is loaded is counted, one among it is shown.
  await create(server, path, named('x-beyond', 'red'));
  await page.getByText('1,000 of 100,001 loaded').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await create(server, path, named('a-first', 'red'));
  await table.focus();
  await page.keyboard.press('Home');
  await measured(page, 'a row that comes', () => first.getByRole('link', { name: 'a-first' }).waitFor());
  await measured(page, 'field selector', async () => {
    await page.getByLabel('Fields').fill('spec.color=green');
    await page.keyboard.press('Enter');
    await page.getByText('100 objects', { exact: true }).waitFor();
  });
  await page.getByLabel('Fields').fill('');
  await measured(page, 'label selector', async () => {
    await page.getByLabel('Labels').fill('tier=green');
    await page.keyboard.press('Enter');
    await page.getByText('100 objects', { exact: true }).waitFor();
  });
  await create(server, path, named('a-second', 'green'));
  await first.getByRole('link', { name: 'a-second' }).waitFor();
  // No request asks for all: a list has a limit, or is a watch.
  const unlimited = asked.filter(
    ({ searchParams }) => !searchParams.has('limit') && !searchParams.has('watch'),
  );
  expect(unlimited.map(String)).toEqual([]);
  await leave(visitor);
  await browser.close();
  await server.close();
}, 600_000);
