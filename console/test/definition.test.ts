import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import type { IlkServer } from '../../src/testing/index.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser, type Visitor } from './browser.test-support.ts';
import { boatCrd, boatCrdText, hugeCrd } from './definition.test-data.ts';
import { create, leave, open, startWithConsole, tokenFor, visitAsAdmin } from './server.test-support.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

async function createText(path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await server.fetch(path, { method: 'POST', headers, body })).status).toBe(201);
}

/** As far as stories change it. */
interface BoatCrd extends JsonObject {
  spec: JsonObject & {
    versions: [{ schema: { openAPIV3Schema: { properties: { spec: { properties: JsonObject } } } } }];
  };
}

/** Drops a file on the page, as from a folder. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const target = page.getByRole('region', { name: 'Another CRD file' });
  const data = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      return data;
    })()`,
  );
  await target.dispatchEvent('drop', { dataTransfer: data });
}

/** A service account with these rights, in front of the console. */
async function visitWith(name: string, rules: readonly JsonObject[]): Promise<Visitor> {
  const token = await tokenFor(server, name);
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
  await create(server, `${rbac}/clusterroles`, { metadata: { name }, rules });
  await create(server, `${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.goto(`${server.url}/console/`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  return visitor;
}

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({});
  await createText(crds, boatCrdText);
  await vi.waitUntil(async () => (await server.fetch('/apis/example.com/v1/boats')).ok, 20_000);
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
  await page.keyboard.press('m');
  await field.getByText('.spec.masts', { exact: true }).waitFor();
  await field.getByText('at most 9').waitFor();
  // One letter: on a slow machine, a word is typed too slowly to be one.
  const goTo = async (letter: string) => {
    await page.keyboard.press('Home');
    await page.keyboard.press(letter);
  };
  await goTo('f');
  await field.getByText('.spec.flags', { exact: true }).waitFor();
  await field.getByRole('heading', { name: 'Each key must be' }).waitFor();
  await field.getByText('a k8s-label-key').waitFor();
  await goTo('c');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await field.getByText('.spec.cargo[].name', { exact: true }).waitFor();
  expect(await row(page, /^name string/).getAttribute('aria-level')).toBe('3');
  await page.keyboard.press('ArrowLeft');
  await field.getByText('items are told apart by name').waitFor();
  await page.keyboard.press('ArrowLeft');
  await row(page, /^name string/).waitFor({ state: 'detached' });
  await goTo('h');
  await field.getByText('cannot change once it is set').waitFor();
  await field.getByText('self == oldSelf').waitFor();
  // A default of 19 digits, and one that is a text.
  await goTo('s');
  await page.keyboard.press('ArrowDown');
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

test('a rule of the definition opens in the playground, with its schema and a value of a real object', async () => {
  const boats = '/apis/example.com/v1/namespaces/default/boats';
  const spec = { color: 'red', hull: 'oak' };
  await create(server, boats, {
    apiVersion: 'example.com/v1',
    kind: 'Boat',
    metadata: { name: 'ark' },
    spec,
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1');
  await row(page, /^hull/).click();
  await page.getByRole('link', { name: 'Try in the playground' }).click();
  await page.waitForURL(/playground\?definition=boats.example.com&version=v1&field=.spec.hull&rule=0/);
  await page.getByRole('textbox', { name: 'Object as YAML', exact: true }).getByText('oak').waitFor();
  await page.getByRole('heading', { name: 'The change is accepted' }).waitFor();
  await page.getByText('self == oldSelf').first().waitFor();
  await server.fetch(`${boats}/ark`, { method: 'DELETE' });
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
  const later = structuredClone(boatCrd) as BoatCrd;
  later.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties['anchor'] = { type: 'string' };
  const { metadata } = (await (await server.fetch(`${crds}/boats.example.com`)).json()) as KubeObject;
  await server.fetch(`${crds}/boats.example.com`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...later, metadata }),
  });
  await row(page, /^anchor string/).waitFor();
  await leave(visitor);
});

test('a gate is turned after a look at the objects that hold its field', async () => {
  const boats = '/apis/example.com/v1/namespaces/default/boats';
  await create(server, boats, {
    apiVersion: 'example.com/v1',
    kind: 'Boat',
    metadata: { name: 'swift' },
    spec: { color: 'red', sail: 'lateen' },
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1');
  await row(page, /^sail string beta on/).waitFor();
  await page.getByRole('tab', { name: 'Gates' }).click();
  await page.getByText('of harbour; by default on').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Turn off Sailing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn Sailing off?' });
  await dialog.getByText('1 object holds').waitFor();
  await dialog.getByRole('link', { name: 'default/swift' }).waitFor();
  await dialog.getByText('it can neither be changed nor removed').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Turn off' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('somebody has turned it off').waitFor();
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = { method: 'PATCH', headers, body: '{"spec":{"sail":"gaff"}}' };
  const answer = await server.fetch(`${boats}/swift`, patch);
  expect(answer.headers.get('warning')).toContain('unchanged (feature gate Sailing is disabled)');
  await page.getByRole('button', { name: 'Leave to its default: Sailing' }).click();
  await page.getByRole('button', { name: 'Leave to its default', exact: true }).click();
  await page.getByText('of harbour; by default on').waitFor();
  await leave(visitor);
});

test('another file is dropped on the page, and what of it breaks is said', async () => {
  const other = structuredClone(boatCrd) as BoatCrd;
  const { properties } = other.spec.versions[0].schema.openAPIV3Schema.properties.spec;
  delete properties['sail'];
  properties['color'] = { type: 'string', enum: ['blue', 'red'] };
  properties['<img src=x onerror=alert(1)>'] = { type: 'string' };
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1&tab=diff');
  await page.getByText('Drop another CRD file here').waitFor();
  await expectAccessible(page);
  await drop(page, 'boats.yaml', stringify(other));
  await page.getByText('field is gone; its values are dropped').first().waitFor();
  await page.getByRole('row', { name: /breaking v1 .spec.sail/ }).waitFor();
  await page.getByRole('cell', { name: '.spec.<img src=x onerror=alert(1)>', exact: true }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.getByLabel('Only breaking changes').check();
  await page.getByText('field is new').waitFor({ state: 'detached' });
  const boats = '/apis/example.com/v1/namespaces/default/boats';
  const boat = { apiVersion: 'example.com/v1', kind: 'Boat' };
  await create(server, boats, { ...boat, metadata: { name: 'moss' }, spec: { color: 'green' } });
  await page.getByRole('button', { name: 'Check the live objects' }).click();
  await page.getByText(/objects? checked, 1 would be refused/).waitFor();
  await page
    .getByRole('row', {
      name: 'default/moss spec.color: Unsupported value: "green": supported values: "blue", "red"',
    })
    .waitFor();
  await expectAccessible(page);
  await server.fetch(`${boats}/moss`, { method: 'DELETE' });
  await page.getByRole('radio', { name: /older/ }).check();
  await page.getByRole('row', { name: /safe v1 .spec.sail field is new/ }).waitFor();
  await drop(page, 'note.txt', 'kind: ConfigMap');
  await page.getByText('there is no CustomResourceDefinition in the file').waitFor();
  await leave(visitor);
});

test('two versions stand side by side, and an object is read in both', async () => {
  await create(server, '/apis/example.com/v1/namespaces/default/boats', {
    apiVersion: 'example.com/v1',
    kind: 'Boat',
    metadata: { name: 'converted' },
    spec: { color: 'green', hull: 'oak' },
  });
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v2&tab=versions');
  await page.getByRole('row', { name: 'hull string, at most 20 characters, self == oldSelf –' }).waitFor();
  await page.getByRole('row', { name: 'paint – string' }).waitFor();
  expect(await page.getByRole('row', { name: /^phase/ }).count()).toBe(0);
  await page.getByLabel('Fields that do not differ, too').check();
  await page.getByRole('button', { name: 'status' }).press('Enter');
  await page.getByRole('row', { name: 'phase string string' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Conversion' }).click();
  await page.getByLabel('Object').selectOption('default/converted');
  await page.locator('.cm-deletedChunk').getByText('hull: oak').waitFor();
  await page.getByText('apiVersion: example.com/v2').waitFor();
  await expectAccessible(page);
  await leave(visitor);
});

test('an object is made by a form: errors stand at their fields, and the text is the same object', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1');
  await page.getByRole('link', { name: 'New Boat' }).click();
  const form = page.getByRole('form', { name: 'New object' });
  await form.getByRole('combobox', { name: 'color' }).waitFor();
  const box = (name: string) => form.getByRole('textbox', { name, exact: true });
  const error = (words: string | RegExp) => form.locator('.form-error', { hasText: words });
  await error('name or generateName is required').waitFor();
  await box('name').fill('formed');
  await error('name or generateName is required').waitFor({ state: 'detached' });
  await form.getByRole('combobox', { name: 'color' }).selectOption('green');
  const add = form.getByRole('combobox', { name: 'Add a field to spec' });
  await add.selectOption('masts');
  await box('masts').fill('12');
  await error(/Invalid value: 12: .*less than or equal to 9/).waitFor();
  expect(await box('masts').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await box('masts').fill('3');
  await add.selectOption('serial');
  await box('serial').fill('1234567890123456789');
  await add.selectOption('flags');
  await box('New key of flags').fill('__proto__');
  await form.getByRole('button', { name: 'Add to flags' }).click();
  await error(/must be of type k8s-label-key/).waitFor();
  await form.getByRole('button', { name: 'Remove __proto__' }).click();
  await box('New key of flags').fill('a/b');
  await form.getByRole('button', { name: 'Add to flags' }).click();
  await box('a/b').fill('true');
  await add.selectOption('cargo');
  await form.getByRole('button', { name: 'Add to cargo' }).click();
  await box('name').last().fill('tea');
  await page.getByRole('button', { name: 'Form' }).press('Enter');
  await page.getByRole('textbox', { name: 'New object as YAML' }).getByText('1234567890123456789').waitFor();
  await page.getByRole('button', { name: 'Form' }).press('Enter');
  await box('masts').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'formed' }).waitFor();
  const made = await (await server.fetch('/apis/example.com/v1/namespaces/default/boats/formed')).text();
  expect(made).toContain(
    '"spec":{"cargo":[{"name":"tea"}],"color":"green","flags":{"a/b":"true"},"masts":3,"serial":1234567890123456789}',
  );
  await leave(visitor);
});

test('a user who may read definitions alone cannot turn a gate, and is not told which objects there are', async () => {
  const visitor = await visitWith('watcher', [
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['get', 'list', 'watch'],
    },
  ]);
  const { page } = visitor;
  await open(page, '/definition/example.com/boats?version=v1&tab=gates');
  await page.getByText('You may not change this definition').waitFor();
  await page.getByRole('heading', { name: 'Sailing' }).waitFor();
  expect(await page.getByRole('button', { name: /^Turn/ }).count()).toBe(0);
  await expectAccessible(page);
  await leave(visitor);
});

test('two browsers: what one user turns, the other sees, who may not turn it', async () => {
  const reads = {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: ['get', 'list', 'watch'],
  };
  const watcher = await visitWith('onlooker', [reads]);
  await open(watcher.page, '/definition/example.com/boats?version=v1&tab=gates');
  const steaming = watcher.page.getByRole('listitem').filter({ hasText: 'Steaming' });
  await steaming.getByText('off', { exact: true }).waitFor();
  const admin = await visitAsAdmin({ browser, server });
  await open(admin.page, '/definition/example.com/boats?version=v1&tab=gates');
  await admin.page.getByRole('button', { name: 'Turn on Steaming' }).click();
  await admin.page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await steaming.getByText('on', { exact: true }).waitFor();
  await steaming.getByText('somebody has turned it on').waitFor();
  expect(await watcher.page.getByRole('button', { name: /^(Turn|Leave)/ }).count()).toBe(0);
  await watcher.page.getByRole('tab', { name: 'Schema' }).click();
  await row(watcher.page, /^steam boolean alpha on/).waitFor();
  await leave(admin);
  await leave(watcher);
});

test('a user who may not read definitions sees the schema that OpenAPI publishes', async () => {
  const visitor = await visitWith('reader', []);
  const { page } = visitor;
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
