import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { IlkServer } from '../../src/testing/index.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';
import { expectAccessible } from './axe.test-support.ts';
import { startBrowser } from './browser.test-support.ts';
import { create, leave, open, startWithConsole, visitAsAdmin } from './server.test-support.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const configMaps = '/api/v1/namespaces/default/configmaps';
const widget = (name: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels: { tier: 'a' } },
  spec: { color: 'blue', size: 3 },
});

/** Replaces the text of an editor by pasting. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await editor.page().keyboard.press('Control+a');
  await editor.page().keyboard.insertText(text);
}

async function read(of: string): Promise<{ readonly metadata: { readonly uid: string } }> {
  return (await (await server.fetch(of)).json()) as { readonly metadata: { readonly uid: string } };
}

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({});
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('from an empty server to an object: a definition is pasted, and its first object made', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.getByRole('link', { name: 'paste one here' }).click();
  const editor = page.getByRole('textbox', { name: 'New object as YAML' });
  await write(editor, stringify(widgetCrd));
  await page.getByRole('heading', { name: 'New CustomResourceDefinition' }).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'widgets.example.com' }).waitFor();
  await open(page, '/');
  await page.getByRole('link', { name: 'Widget', exact: true }).click();
  await page.getByRole('link', { name: 'New Widget' }).click();
  await editor.getByText('Widget').waitFor();
  await expectAccessible(page);
  await write(editor, stringify({ ...widget('first'), spec: { color: 'pink' } }));
  await page.keyboard.press('Control+s');
  await page.getByText('spec.color: Unsupported value: "pink"').first().waitFor();
  await write(editor, stringify(widget('first')));
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'first' }).waitFor();
  await leave(visitor);
});

test('an object is edited with completion and errors, and sent after a look at the difference', async () => {
  await create(server, path, widget('lamp'));
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/object/example.com/v1/widgets/default/lamp');
  const editor = page.getByRole('textbox', { name: 'Object as YAML' });
  const erase = async (text: string) => {
    await editor.getByText(text, { exact: true }).click();
    await page.keyboard.press('End');
    for (const _ of text) await page.keyboard.press('Backspace');
  };
  await erase('blue');
  await page.keyboard.type('pink');
  // The dry run of the server finds it, and it is marked where it is.
  await page.locator('.cm-lint-marker-error').waitFor();
  await page.locator('.cm-lintRange-error').hover();
  await page
    .getByText('spec.color: Unsupported value: "pink": supported values: "blue", "green", "red"')
    .waitFor();
  await erase('pink');
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: 'green' }).click();
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'What will change' }).waitFor();
  await page.getByRole('radio', { name: /^Apply/ }).check();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('Others own what you change').waitFor();
  await page.getByText('.spec.color belongs to "unknown" using example.com/v1').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take these fields over' }).click();
  await page.getByRole('heading', { name: 'What will change' }).waitFor({ state: 'detached' });
  const { spec } = (await (await server.fetch(`${path}/lamp`)).json()) as { spec: unknown };
  expect(spec).toEqual({ color: 'green', size: 3 });
  await page.getByRole('tab', { name: 'Field owners' }).click();
  await page.getByText('ilk-console').first().waitFor();
  await page.getByRole('tab', { name: 'History 1' }).click();
  await page.locator('.difference .cm-deletedChunk').first().waitFor();
  await page.getByRole('tab', { name: 'Time line' }).click();
  await page.getByText('Apply by ilk-console').waitFor();
  await expectAccessible(page);
  await leave(visitor);
});

test('what belongs to an object is shown, and goes along when it is deleted', async () => {
  await create(server, path, widget('owner'));
  const { metadata } = await read(`${path}/owner`);
  const reference = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid: metadata.uid };
  await create(server, configMaps, { metadata: { name: 'its-config', ownerReferences: [reference] } });
  const config = await read(`${configMaps}/its-config`);
  const ofConfig = { apiVersion: 'v1', kind: 'ConfigMap', name: 'its-config', uid: config.metadata.uid };
  const secrets = '/api/v1/namespaces/default/secrets';
  await create(server, secrets, { metadata: { name: 'its-secret', ownerReferences: [ofConfig] } });
  await create(server, configMaps, { metadata: { name: 'other' } });
  const { uid } = (await read(`${configMaps}/other`)).metadata;
  await create(server, secrets, {
    metadata: { name: 'shared', ownerReferences: [reference, { ...ofConfig, name: 'other', uid }] },
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/object/example.com/v1/widgets/default/owner');
  await page.getByRole('tab', { name: 'Related' }).click();
  const graph = page.getByRole('region', { name: 'Owners and dependents' });
  await graph.getByRole('link', { name: 'Secret its-secret' }).waitFor();
  expect(await graph.getByRole('listitem').allTextContents()).toEqual([
    'Widget owner, this object',
    'ConfigMap its-config, belongs to Widget owner',
    'Secret shared, belongs to Widget owner and something that is not shown',
    'Secret its-secret, belongs to ConfigMap its-config',
  ]);
  expect(await graph.locator('path').count()).toBe(3);
  await expectAccessible(page);
  // From box to box by arrow keys, and on by Enter.
  await graph.getByRole('link', { name: 'ConfigMap its-config' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'its-secret' }).waitFor();
  await page.getByRole('tab', { name: 'Related' }).click();
  await graph.getByRole('link', { name: 'Widget owner' }).click();
  await page.getByRole('heading', { name: 'owner', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Widget owner?' });
  await dialog.getByRole('link', { name: 'ConfigMap its-config' }).waitFor();
  await dialog.getByRole('link', { name: 'Secret its-secret' }).waitFor();
  await dialog.getByText('stays: it has another owner').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('owner is deleted').waitFor();
  await expect.poll(async () => (await server.fetch(`${configMaps}/its-config`)).status).toBe(404);
  await leave(visitor);
});

test('objects that mean harm are texts like any other', async () => {
  const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>';
  const name = 'x'.repeat(253);
  const data = {
    __proto__: undefined,
    constructor: markup,
    'a.b': 'مرحبا \u202eabc',
    big: '1234567890123456789',
  };
  const body = JSON.stringify({
    metadata: { name, annotations: { note: markup, 'right.to/left': '\u202eمرحبا' } },
    data,
  }).replace('"constructor"', `"__proto__":${JSON.stringify(markup)},"constructor"`);
  const sent = await server.fetch(configMaps, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(sent.status).toBe(201);
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  page.on('dialog', () => expect.unreachable('a script ran'));
  await open(page, '/objects/-/v1/configmaps');
  await page.getByRole('link', { name }).click();
  const editor = page.getByRole('textbox', { name: 'Object as YAML' });
  await editor.getByText(markup).first().waitFor();
  await editor.getByText('__proto__').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  for (const tab of ['Field owners', 'Time line', 'Related'])
    await page.getByRole('tab', { name: tab }).click();
  await leave(visitor);
});
