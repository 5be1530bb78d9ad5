import { deflateRawSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { IlkServer } from '../../src/testing/index.ts';
import { widget, widgetCrd } from '../../test/fixtures/widgets.ts';
import { expectAccessible } from './axe.test-support.ts';
import { newVisitor, startBrowser } from './browser.test-support.ts';
import { leave, open, startWithConsole, tokenFor, visitAsAdmin } from './server.test-support.ts';

let browser: Browser;
let server: IlkServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await startWithConsole({
    crds: [widgetCrd],
    objects: [widget('lamp', { color: 'red', size: 2 }, { namespace: 'default' })],
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Replaces the text of an editor by pasting. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await editor.page().keyboard.press('Control+a');
  await editor.page().keyboard.insertText(text);
}

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });

test('a rule is tried: its words, its cost, the values of its parts, and what is wrong with it where it stands', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.getByRole('link', { name: 'Playground' }).click();
  await answer(page).getByRole('heading', { name: 'The object is refused' }).waitFor();
  await answer(page).getByText('spec: Invalid value: at most 5 replicas').first().waitFor();
  await answer(page).getByText('spec: Invalid value: ports are numbers from 1 to 65535').first().waitFor();
  await answer(page).getByText('self.replicas → 7 cost 2').waitFor();
  await answer(page)
    .getByText(/^self\.ports\.all\(p, …\) → false/)
    .waitFor();
  expect(await answer(page).getByRole('meter', { name: 'Estimate', exact: true }).count()).toBe(3);
  await expectAccessible(page);
  const object = page.getByRole('textbox', { name: 'Object as YAML', exact: true });
  await write(object, 'spec: {replicas: 4}');
  await answer(page).getByRole('heading', { name: 'The object is accepted' }).waitFor();
  await answer(page).getByText('What would be stored').click();
  await answer(page).getByText('maxReplicas: 5').waitFor();
  await expectAccessible(page);
  const definition = page.getByRole('textbox', { name: 'Definition or schema as YAML' });
  const schema =
    'type: object\nproperties:\n  a: {type: integer}\nx-kubernetes-validations:\n- rule: self.b > 1\n';
  await write(definition, schema);
  await answer(page).getByRole('heading', { name: 'This cannot be tried' }).waitFor();
  await answer(page).getByText("undefined field 'b'").waitFor();
  await page.getByRole('tab', { name: 'Definition (1 wrong)' }).waitFor();
  // Marked in its line, in the editor.
  await page.locator('.cm-lint-marker-error').waitFor();
  expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['- rule: self.b > 1']);
  await leave(visitor);
});

test('a rule alone is tried on any value: its types are those of the value', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/playground');
  await page.getByRole('tab', { name: 'One rule' }).click();
  const rule = page.getByRole('textbox', { name: 'A CEL rule about self' });
  await rule.fill('self.all(port, port.number < 1024 && port.name != "")');
  const object = page.getByRole('textbox', { name: 'Object as YAML', exact: true });
  await write(object, '- {name: web, number: 80}\n- {name: big, number: 8080}\n');
  await answer(page).getByRole('heading', { name: 'The object is refused' }).waitFor();
  await answer(page).getByText('failed rule: self.all(port').first().waitFor();
  await page.getByRole('tab', { name: 'Definition (unused)' }).waitFor();
  await expectAccessible(page);
  await rule.fill('self.all(port, port.nam == 1)');
  await page.getByText("undefined field 'nam'").first().waitFor();
  await expectAccessible(page);
  await rule.fill('self == oldSelf');
  await write(object, 'web');
  await page.getByRole('tab', { name: 'Old object' }).click();
  await write(page.getByRole('textbox', { name: 'Old object as YAML' }), 'wide');
  await answer(page).getByRole('heading', { name: 'The change is refused' }).waitFor();
  await page.getByRole('button', { name: 'Link to this case' }).click();
  await page.waitForURL(/#case=/);
  const link = page.url();
  await open(page, '/');
  await page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  await page.goto(link);
  await page.getByRole('textbox', { name: 'A CEL rule about self' }).waitFor();
  expect(await rule.inputValue()).toBe('self == oldSelf');
  await leave(visitor);
});

test('a policy with parameters is tried by keyboard alone, as another user', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('combobox', { name: 'Examples' }).selectOption('A policy with parameters');
  await answer(page).getByText('denied request: at most 3 replicas').waitFor();
  await answer(page).getByText('variables.most → 3').first().waitFor();
  await page.getByRole('tab', { name: 'Object', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('textbox', { name: 'Labels of the namespace' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('env=test');
  await answer(page).getByRole('heading', { name: 'The object is accepted' }).waitFor();
  await answer(page).getByText('Not evaluated in this case.').first().waitFor();
  await page.getByRole('combobox', { name: 'Examples' }).selectOption('A mutation');
  await answer(page).getByRole('heading', { name: 'The object is accepted' }).waitFor();
  await answer(page).getByText('What would be stored').focus();
  await page.keyboard.press('Enter');
  await answer(page).getByText('owner: alice').waitFor();
  await expectAccessible(page);
  await leave(visitor);
});

test('a definition and an object of the server are taken over', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/playground');
  await page
    .getByRole('combobox', { name: 'Definitions of this server' })
    .selectOption('widgets.example.com');
  await page.getByRole('textbox', { name: 'Object as YAML', exact: true }).getByText('lamp').waitFor();
  await answer(page).getByRole('heading', { name: 'The object is accepted' }).waitFor();
  await open(page, '/object/example.com/v1/widgets/default/lamp');
  await page.getByRole('main').getByRole('link', { name: 'Playground' }).click();
  await answer(page).getByRole('heading', { name: 'The change is accepted' }).waitFor();
  const object = page.getByRole('textbox', { name: 'Object as YAML', exact: true });
  await write(object, stringify(widget('lamp', { color: 'pink' }, { namespace: 'default' })));
  await answer(page).getByText('spec.color: Unsupported value: "pink"').first().waitFor();
  await leave(visitor);
});

test('a link contains the whole case, and opens it in another browser', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  await open(page, '/playground');
  const object = page.getByRole('textbox', { name: 'Object as YAML', exact: true });
  await answer(page).getByRole('heading', { name: 'The object is refused' }).waitFor();
  const text = 'spec: {replicas: 1234567890123456789, maxReplicas: 5} # مرحبا';
  await write(object, text);
  await page.getByRole('button', { name: 'Link to this case' }).click();
  await page.waitForURL(/#case=/);
  const link = page.url();
  await leave(visitor);
  const other = await newVisitor(browser);
  const sent: string[] = [];
  other.page.on('request', (request) => sent.push(request.url()));
  await other.page.goto(link);
  await other.page.getByRole('textbox', { name: /token/i }).fill(await tokenFor(server, 'friend'));
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  const theirs = other.page.getByRole('textbox', { name: 'Object as YAML', exact: true });
  await theirs.getByText('1234567890123456789').waitFor();
  await answer(other.page).getByText('at most 5 replicas').first().waitFor();
  expect(sent.filter((url) => url.includes('case='))).toEqual([]);
  await leave(other);
});

const linkOf = (value: unknown) =>
  `#case=${deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;

test('links that mean harm are refused, or are texts like any other', async () => {
  const visitor = await visitAsAdmin({ browser, server });
  const { page } = visitor;
  page.on('dialog', () => expect.unreachable('a script ran'));
  await open(page, '/playground');
  const goTo = (fragment: string) => page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  for (const [fragment, refusal] of [
    ['#case=%%%', 'the link is damaged'],
    ['#case=AAAA', 'the link is damaged'],
    [linkOf('{'), 'the link is damaged'],
    [linkOf([]), 'the link holds something else than a case'],
    [linkOf({ object: { a: 1 } }), 'the link holds something else than a case'],
    [linkOf({ groups: 'system:masters' }), 'the link holds something else than a case'],
    [linkOf({ object: 'x'.repeat(20_000_000) }), 'the case is too large for a link'],
    [`#case=${'A'.repeat(70_000)}`, 'the link is too long'],
  ] as const) {
    await goTo(fragment);
    await page.getByRole('alert').getByText(refusal).waitFor();
  }
  const markup = '<img src=x onerror=alert(1)>';
  await goTo(
    linkOf(
      `{"__proto__":{"user":"x"},"definition":"type: object\\nproperties: {a: {type: string}}\\nx-kubernetes-validations: [{rule: \\"self.a != '${markup}'\\", message: \\"${markup}\\"}]","object":"a: \\"${markup}\\"","user":"\\u202e${markup}","namespaceLabels":{}}`,
    ),
  );
  await answer(page).getByText(`Invalid value: ${markup}`).first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.locator('img').count()).toBe(0);
  await leave(visitor);
});
