import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { KubeObject } from '../../src/meta/index.ts';
import type { IlkServer } from '../../src/testing/index.ts';
import { expectAccessible } from './axe.test-support.ts';
import { startBrowser } from './browser.test-support.ts';
import { boatCrd, boatCrdText, hugeCrd } from './definition.test-data.ts';
import { create, leave, open, startWithConsole, tokenFor, visitAsAdmin } from './server.test-support.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

async function createText(path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await server.fetch(path, { method: 'POST', headers, body })).status).toBe(201);
}

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({});
  await createText(crds, boatCrdText);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('a schema is read by keyboard: types, defaults, validations, keys and rules in words', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.getByRole('link', { name: 'Definition of Boat: Established' }).click();
  await page.getByRole('heading', { name: 'Boat' }).waitFor();
  await page.getByLabel('Version').selectOption('v1');
  const tree = page.getByRole('tree', { name: 'Fields of the schema' });
  const field = page.getByRole('region', { name: 'The field' });
  await tree.focus();
  await page.keyboard.type('masts');
  await field.getByText('.spec.masts', { exact: true }).waitFor();
  await field.getByText('at most 9').waitFor();
  const goTo = async (name: string) => {
    await page.keyboard.press('Home');
    await page.keyboard.type(name);
  };
  await goTo('flags');
  await field.getByText('.spec.flags', { exact: true }).waitFor();
  await field.getByRole('heading', { name: 'Each key must be' }).waitFor();
  await field.getByText('a k8s-label-key').waitFor();
  await goTo('cargo');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await field.getByText('.spec.cargo[].name', { exact: true }).waitFor();
  expect(await row(page, /^name string/).getAttribute('aria-level')).toBe('3');
  await page.keyboard.press('ArrowLeft');
  await field.getByText('items are told apart by name').waitFor();
  await page.keyboard.press('ArrowLeft');
  await row(page, /^name string/).waitFor({ state: 'detached' });
  await goTo('hull');
  await field.getByText('cannot change once it is set').waitFor();
  await field.getByText('self == oldSelf').waitFor();
  // A default of 19 digits, and one that is a text.
  await goTo('serial');
  await field.getByText('9223372036854775807', { exact: true }).waitFor();
  await field
    .getByText('kubectl explain boats.example.com.spec.serial --api-version=example.com/v1')
    .waitFor();
  await expectAccessible(page);
  await page.keyboard.press('/');
  await page.keyboard.type('owner mail');
  await page.getByText('1 field matches').waitFor();
  await row(page, /^email string/).click();
  await field.getByText('Where the owner gets mail').waitFor();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText('Established').waitFor();
  await page.getByText('.spec.color').first().waitFor();
  await expectAccessible(page);
  await leave(visitor);
});

test('the page follows the definition', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1');
  await row(page, /^color/).waitFor();
  await page.getByLabel('Version').selectOption('v2');
  await row(page, /^paint/).waitFor();
  await page.getByLabel('Version').selectOption('v1');
  const later = structuredClone(boatCrd) as {
    spec: {
      versions: {
        schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } };
      }[];
    };
  };
  const spec = later.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {};
  spec['anchor'] = { type: 'string' };
  const { metadata } = (await (await server.fetch(`${crds}/boats.example.com`)).json()) as KubeObject;
  await server.fetch(`${crds}/boats.example.com`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...later, metadata }),
  });
  await row(page, /^anchor string/).waitFor();
  await leave(visitor);
});

test('a user who may not read definitions sees the schema that OpenAPI publishes', async () => {
  const token = await tokenFor(server, 'reader');
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  await open(page, '/definition/example.com/boats?version=v1');
  await page.getByText(/You see what OpenAPI publishes/).waitFor();
  await page.getByText(/customresourcedefinitions.*is forbidden/).waitFor();
  await row(page, /^color/).click();
  await page.getByText('Lists and watches can ask for a value').waitFor();
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Schema']);
  await expectAccessible(page);
  await open(page, '/definition/-/configmaps');
  await row(page, /^binaryData map of string/).waitFor();
  await leave(visitor);
});

test('a definition of 2 MB is there at once, and what is hostile in it is text', async () => {
  const huge = hugeCrd();
  expect(stringify(huge).length).toBeGreaterThan(2_000_000);
  await create(server, crds, huge);
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  page.on('dialog', () => expect.unreachable('a script ran'));
  await open(page, '/definition/example.com/hulks');
  const tree = page.getByRole('tree');
  await row(page, /^part0000/).waitFor();
  const drawn = async () => Number(await tree.getByRole('treeitem').count());
  expect(await drawn()).toBeLessThan(60);
  // Every field of the second level, and below: thousands of rows, of which few are drawn.
  await tree.focus();
  await page.keyboard.type('part0000');
  await page.keyboard.press('*');
  await page.keyboard.press('End');
  await row(page, /^status/).waitFor();
  expect(await drawn()).toBeLessThan(60);
  await page.keyboard.press('/');
  await page.keyboard.type('markup');
  await page.getByText(/fields? match/).waitFor();
  await row(page, /^<img/).click();
  await page
    .getByRole('region', { name: 'The field' })
    .getByText('<script>alert(1)</script>')
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search fields' }).fill('__proto__');
  await row(page, /^__proto__/).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await expectAccessible(page);
  await leave(visitor);
});
