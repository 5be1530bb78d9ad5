import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type IlkServer, type ServerOptions, startServer } from '../../src/testing/index.ts';
import { newVisitor, type Visitor, type VisitorOptions } from './browser.test-support.ts';

/** A server with the console, over TLS as people have it. */
export function startWithConsole(options: ServerOptions): Promise<IlkServer> {
  return startServer({ listen: { host: '127.0.0.1', port: 0, tls: true }, ...options, console: true });
}

/** Writes as the administrator. @throws where the server refuses it */
export async function create(server: IlkServer, path: string, object: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(object) });
  if (!response.ok) throw new Error(await response.text());
}

/** Somebody who has signed in as the administrator, in front of a page of the console. */
export async function visitAsAdmin(
  { browser, server }: { readonly browser: Browser; readonly server: Pick<IlkServer, 'consoleLink'> },
  options: VisitorOptions = {},
): Promise<Visitor> {
  const visitor = await newVisitor(browser, options);
  await visitor.page.goto(server.consoleLink() ?? '');
  await visitor.page.getByRole('heading', { name: 'Kinds', exact: true }).waitFor();
  return visitor;
}

/** Ends a story: nothing went wrong in the page meanwhile. */
export async function leave({ context, trouble }: Visitor): Promise<void> {
  await context.close();
  expect(trouble).toEqual([]);
}

/** Navigates without reloading the page. */
export async function open(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** A token of a service account in `default`, which may do nothing yet. */
export async function tokenFor(server: IlkServer, name: string): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await create(server, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  const response = await server.fetch(`${accounts}/${name}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
  });
  const { status } = (await response.json()) as { readonly status: { readonly token: string } };
  return status.token;
}
