import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Auditor, AuditPolicy } from '../../src/audit/index.ts';
import { Faults, faultsEndpoint } from '../../src/faults/index.ts';
import { systemClock } from '../../src/meta/index.ts';
import { defaultListen, type IlkServer, startServer } from '../../src/server.ts';
import { startServer as startTestServer } from '../../src/testing/index.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser } from './browser.test-support.ts';
import { leave, open, startWithConsole, tokenFor, visitAsAdmin } from './server.test-support.ts';

const policy = AuditPolicy.parse(
  'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]',
);
const markup = '<img src=x onerror=alert(1)>';
const configMaps = '/api/v1/namespaces/default/configmaps';
const policies = '/apis/admissionregistration.k8s.io/v1';

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  const faults = new Faults();
  server = await startServer({
    listen: { ...defaultListen, tls: true },
    console: true,
    auditor: new Auditor({ policy, backends: [], clock: systemClock, onTrouble: () => {} }),
    slowRequests: { fromMs: 300, onSlow: () => {} },
    filters: [faultsEndpoint(faults), faults.filter],
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function post(path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

test('requests, faults that strike, slow requests and the audit log are shown as they happen', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  page.on('dialog', () => expect.unreachable('a script ran'));
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  const row = page.getByRole('row', { name: /^POST/ });
  for (let index = 0; index < 5; index += 1)
    expect(await post(configMaps, { metadata: { name: `a${index}` } })).toBe(201);
  await row.waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Faults' }).click();
  await page.getByText('No rules: no request is affected.').waitFor();
  const rule = page.getByRole('textbox', { name: 'Rule as JSON' });
  await rule.fill('{"fault":"nonsense"}');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('nonsense').waitFor();
  await page.getByRole('combobox', { name: 'Kind of fault' }).selectOption('Latency');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('row', { name: /^latency/ }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  const odd = `${configMaps}?labelSelector=${encodeURIComponent('a=b')}&x=${encodeURIComponent(markup)}`;
  expect((await server.fetch(odd)).status).toBe(200);
  // Matched and struck.
  await page.getByRole('row', { name: /^latency .* 1 1 / }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Remove latency/ }).click();
  await page.getByText('No rules: no request is affected.').waitFor();
  await page.getByRole('tab', { name: 'Requests' }).click();
  await page
    .getByRole('row', { name: /GET \/api\/v1\/namespaces\/default\/configmaps labelSelector=a=b/ })
    .waitFor();
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('searchbox', { name: 'Search events' }).fill('onerror');
  await page.getByRole('cell', { name: /onerror/ }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await expectAccessible(page);
  await leave(visitor);
});

test('policies show with their times, and the server says what it is made of', async () => {
  await post(`${policies}/validatingadmissionpolicies`, {
    metadata: { name: 'short-names' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
        ],
      },
      validations: [{ expression: 'size(object.metadata.name) < 9' }],
    },
  });
  await post(`${policies}/validatingadmissionpolicybindings`, {
    metadata: { name: 'short-names' },
    spec: { policyName: 'short-names', validationActions: ['Deny'] },
  });
  await expect.poll(() => post(`${configMaps}?dryRun=All`, { metadata: { name: 'x'.repeat(20) } })).toBe(422);
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/server');
  await page.getByRole('tab', { name: 'Webhooks and policies' }).click();
  await page.getByRole('row', { name: /Validating policy short-names [1-9]/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Storage and controllers' }).click();
  await page.getByText('garbage-collector runs').waitFor();
  await page.getByText('simulate is off').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await page.getByRole('searchbox', { name: 'Search metrics' }).fill('ilk_open_watches');
  await page.getByText(/^ilk_open_watches \d/m).waitFor();
  await leave(visitor);
});

test('who may what, for oneself and for others where one may ask', async () => {
  await post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
  });
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/server');
  await page.getByRole('tab', { name: 'Who may what' }).click();
  await page.getByRole('searchbox', { name: 'Search kinds' }).fill('configmap');
  const row = page.getByRole('row', { name: /^ConfigMap/ });
  await page.getByRole('row', { name: /^ConfigMap yes yes yes yes yes yes yes yes$/ }).waitFor();
  await page.getByRole('textbox', { name: 'User', exact: true }).fill('alice');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'What alice may do' }).waitFor();
  await page.getByRole('row', { name: /^ConfigMap yes yes no no no no no no$/ }).waitFor();
  expect(await row.count()).toBe(1);
  await expectAccessible(page);
  await leave(visitor);
});

test('a user without rights sees a refusal, and a server without an audit log shows how to enable it', async () => {
  const plain = await startWithConsole({});
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(`${plain.url}/console/server`);
  await page.getByRole('textbox', { name: /token/i }).fill(await tokenFor(plain, 'friend'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('cannot get path "/metrics"').waitFor();
  await page.getByRole('alert').getByText('cannot get path "/ilk/v1/server/slow-requests"').waitFor();
  await page.getByRole('tab', { name: 'Who may what' }).click();
  await page.getByRole('textbox', { name: 'User', exact: true }).fill('alice');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('cannot create resource "subjectaccessreviews"').waitFor();
  await leave(visitor);
  const admin = await visitAsAdmin({ browser, server: plain });
  await open(admin.page, '/server');
  await admin.page.getByText('This server notes no slow requests').waitFor();
  await admin.page.getByRole('tab', { name: 'Audit' }).click();
  await admin.page.getByText('This server writes no audit log').waitFor();
  await leave(admin);
  await plain.close();
  const without = await startTestServer({ listen: false });
  expect((await without.fetch('/ilk/v1/server')).status).toBe(404);
  await without.close();
});
