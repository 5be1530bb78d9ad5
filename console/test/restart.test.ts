import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HttpsClient, IlkProcess } from '../../test/fixtures/ilk-process.ts';
import { newVisitor, startBrowser } from './browser.test-support.ts';
import { leave, open } from './server.test-support.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a server that is killed and started again under an open page: it says so, and goes on where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-console-'));
  const browser = await startBrowser();
  const first = new IlkProcess(['serve', `--data-dir=${folder}`, '--secure-port=0']);
  const started = await first.ready();
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(started.console);
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  await open(page, '/objects/-/v1/configmaps');
  await page.getByText('Live', { exact: true }).waitFor();
  first.kill('SIGKILL');
  await first.ended();
  await page.getByText('Reconnecting').waitFor();
  const second = new IlkProcess([
    'serve',
    `--data-dir=${folder}`,
    `--secure-port=${new URL(started.url).port}`,
  ]);
  const again = await second.ready();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await page.getByText('Your session has ended').waitFor();
  await page.getByLabel('Token, or link').fill(again.console);
  await page.keyboard.press('Enter');
  await page.getByText('Live', { exact: true }).waitFor();
  expect(page.url()).toBe(`${started.url}/console/objects/-/v1/configmaps`);
  const client = new HttpsClient(again.kubeconfig);
  const made = await client.call('POST', configMaps, { body: { metadata: { name: 'after-the-restart' } } });
  expect(made.code).toBe(201);
  await page.getByRole('link', { name: 'after-the-restart' }).waitFor();
  client.close();
  await leave(visitor);
  await browser.close();
  second.kill('SIGTERM');
  await second.ended();
  rmSync(folder, { recursive: true, force: true });
});
