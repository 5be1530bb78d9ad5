import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IlkProcess } from '../../test/fixtures/ilk-process.ts';
import { Issuer } from '../../test/access/oidc-provider.test-support.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser } from './browser.test-support.ts';
import { leave } from './server.test-support.ts';

test('a user signs in at the issuer, with a response that only their browser can use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-console-'));
  await using issuer = await Issuer.start({ alice: { email: 'alice@example.com', groups: ['dev'] } });
  writeFileSync(join(folder, 'ca.pem'), issuer.caPem);
  writeFileSync(join(folder, 'secret'), 'secret\n');
  const ilk = new IlkProcess([
    'serve',
    '--storage=memory',
    '--secure-port=0',
    `--oidc-issuer-url=${issuer.url}`,
    '--oidc-client-id=ilk',
    `--oidc-ca-file=${join(folder, 'ca.pem')}`,
    '--console-oidc',
    `--console-oidc-client-secret-file=${join(folder, 'secret')}`,
  ]);
  const { url } = await ilk.ready();
  await issuer.allowRedirect(`${url}/console/login/callback`);
  const browser = await startBrowser();
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(`${url}/console/objects/-/v1/configmaps?sort=Name`);
  const signIn = page.getByRole('link', { name: `Sign in at ${new URL(issuer.url).host}` });
  await signIn.waitFor();
  await expectAccessible(page);
  // A cancelled login is reported.
  await signIn.click();
  await page.getByRole('link', { name: /cancel/i }).click();
  await page.getByText('The issuer did not sign you in.').waitFor();
  await signIn.click();
  await page.locator('input[name=login]').fill('alice');
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  let answer = '';
  page.on('request', (request) => {
    if (request.url().includes('/console/login/callback')) answer = request.url();
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(`${issuer.url}#alice`, { exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/console/objects/-/v1/configmaps?sort=Name`);
  const cookies = await page.context().cookies(url);
  expect(cookies).toMatchObject([{ httpOnly: true, secure: true, sameSite: 'Strict' }]);
  // The answer counts once, and in no other browser.
  const other = await newVisitor(browser);
  await other.page.goto(answer);
  await other.page.getByText('This took too long, or began in another browser.').waitFor();
  await leave(other);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Ilk' }).waitFor();
  await leave(visitor);
  await browser.close();
  ilk.kill('SIGTERM');
  await ilk.ended();
  rmSync(folder, { recursive: true, force: true });
});
