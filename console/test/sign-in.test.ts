import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { IlkProcess } from '../../test/fixtures/ilk-process.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser, type Visitor } from './browser.test-support.ts';

let browser: Browser;
let ilk: IlkProcess;
let ready: Awaited<ReturnType<IlkProcess['ready']>>;
const visitors: Visitor[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  ilk = new IlkProcess(['serve', '--storage=memory', '--secure-port=0']);
  ready = await ilk.ready();
});
afterEach(async () => {
  for (const { context, trouble } of visitors.splice(0)) {
    expect(trouble).toEqual([]);
    await context.close();
  }
});
afterAll(async () => {
  ilk?.kill('SIGTERM');
  await ilk?.ended();
  await browser?.close();
});

async function visit(): Promise<Visitor> {
  const visitor = await newVisitor(browser);
  visitors.push(visitor);
  return visitor;
}

test('the link that `ilk serve` prints opens the console, and the code is gone from the address', async () => {
  const { page } = await visit();
  expect(ready.console).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/console\/#code=/);
  await page.goto(ready.console);
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  expect(page.url()).toBe(`${ready.url}/console/`);
  await page.getByText('No kinds of your own yet').waitFor();
  await page.getByText('ilk-admin').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' }]);
  await expectAccessible(page);
});

test('a link that was used says so, and nothing is shown; a new one signs in', async () => {
  const { page } = await visit();
  await page.goto(ready.console);
  await page.getByText('this link was used already, or it has expired').waitFor();
  await expectAccessible(page);
  const command = new IlkProcess(['console', `--kubeconfig=${ready.kubeconfig}`]);
  const { out } = await command.ended();
  await page.getByLabel('Token, or link').fill(out.trim());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Ilk' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('a wrong token is refused in words', async () => {
  const { page } = await visit();
  await page.goto(`${ready.url}/console/`);
  await page.getByLabel('Token, or link').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('the server does not know this token, or it has expired').waitFor();
});
