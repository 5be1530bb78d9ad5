import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeClock, startServer, type IlkServer } from '../../src/testing/index.ts';
import { limits } from '../../src/meta/index.ts';

const clock = new FakeClock('2030-01-01T00:00:00Z');
let server: IlkServer;

beforeAll(async () => {
  server = await startServer({ console: true, clock });
});
afterAll(() => server.close());

const ofConsole = { 'x-ilk-console': '1' };
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const namespaces = '/api/v1/namespaces';

interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Over the port, as a browser does, on a connection of its own: `server.fetch` needs no credentials. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Init = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${server.url}${path}`, { method, headers, agent: false }, resolve).on('error', reject).end(body);
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
  };
}

async function signIn(body: unknown, headers: Record<string, string> = ofConsole) {
  const answer = await ask('/console/session', { method: 'POST', headers, body: JSON.stringify(body) });
  const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
  return { ...answer, cookie };
}

const newCode = () => /#code=(.+)$/.exec(server.consoleLink() ?? '')?.[1] ?? '';
const tokenOf = (kubeconfig: string) => /token: "?([\w-]+)/.exec(kubeconfig)?.[1] ?? '';

async function userOf(cookie: string): Promise<string> {
  const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
  const headers = { ...ofConsole, cookie, 'content-type': 'application/json' };
  const { status, json } = await ask(whoAmI, { method: 'POST', headers, body });
  return status === 201 ? json.status.userInfo.username : String(status);
}

describe('signing in', () => {
  test('the link becomes a session, once', async () => {
    const code = newCode();
    const first = await signIn({ code });
    expect([first.status, first.json]).toEqual([201, { user: 'ilk-admin', expires: '2030-01-01T12:00:00Z' }]);
    expect(first.headers['set-cookie']?.[0]).toMatch(
      /^ilk-console-\d+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(await userOf(first.cookie)).toBe('ilk-admin');
    const second = await signIn({ code });
    expect([second.status, second.json.message, second.cookie]).toEqual([
      401,
      'this link was used already, or it has expired: `ilk console` prints a new one',
      '',
    ]);
  });

  test('a link expires', async () => {
    const code = newCode();
    clock.advance(limits.consoleCodeMs);
    expect((await signIn({ code })).status).toBe(401);
  });

  test('a token becomes a session of its user, and what becomes of the token becomes of the session', async () => {
    const ann = await server.addUser({ name: 'ann' });
    const { cookie } = await signIn({ token: tokenOf(ann.kubeconfig) });
    expect(await userOf(cookie)).toBe('ann');
    expect((await ask(namespaces, { headers: { ...ofConsole, cookie } })).status).toBe(403);
    ann.remove();
    expect(await userOf(cookie)).toBe('401');
  });

  test('a sign-in without a credential, with two, or with an unknown one is refused', async () => {
    expect((await signIn({ token: 'unknown' })).json).toMatchObject({
      code: 401,
      message: 'the server does not know this token, or it has expired',
    });
    for (const body of [{}, { code: '', token: '' }, { code: 'a', token: 'b' }, { token: 7 }, [], 'x', null])
      expect((await signIn(body)).status).toBe(400);
    const answer = await ask('/console/session', { method: 'POST', headers: ofConsole, body: '{' });
    expect(answer.json).toMatchObject({ code: 400, message: 'the body is not a JSON object' });
  });

  test('a user makes a link of its own, for a browser without its credentials', async () => {
    const bob = await server.addUser({ name: 'bob' });
    const headers = { authorization: `Bearer ${tokenOf(bob.kubeconfig)}` };
    const link = await ask('/ilk/v1/console/codes', { method: 'POST', headers });
    expect([link.status, link.json.kind]).toEqual([201, 'ConsoleLink']);
    expect(link.json.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{32}$/);
    const { cookie } = await signIn({ code: link.json.url.split('#code=')[1] });
    expect(await userOf(cookie)).toBe('bob');
    bob.remove();
    expect(await userOf(cookie)).toBe('401');
    expect((await ask('/ilk/v1/console/codes', { method: 'POST' })).status).toBe(401);
  });

  test('a link cannot be made for another user', async () => {
    const headers = {
      authorization: `Bearer ${tokenOf(server.kubeconfig)}`,
      'impersonate-user': 'carol',
      'impersonate-group': 'system:authenticated',
    };
    const { status, json } = await ask('/ilk/v1/console/codes', { method: 'POST', headers });
    expect([status, json.message]).toEqual([
      400,
      'a link is made for the owner of a token or a client certificate, and this request has none',
    ]);
  });
});

describe('a session', () => {
  test('counts only for scripts of the console', async () => {
    const { cookie } = await signIn({ code: newCode() });
    const status = async (headers: Record<string, string>) => (await ask(namespaces, { headers })).status;
    expect(await status({ cookie, ...ofConsole })).toBe(200);
    expect(await status({ cookie })).toBe(401);
    expect(await status({ cookie, 'x-ilk-console': '0' })).toBe(401);
    expect(await status({ cookie, ...ofConsole, 'sec-fetch-site': 'same-origin' })).toBe(200);
    for (const site of ['same-site', 'cross-site', 'none'])
      expect(await status({ cookie, ...ofConsole, 'sec-fetch-site': site })).toBe(401);
    // No other page may ask whether it could send the header.
    const preflight = { origin: 'https://evil.example', 'access-control-request-headers': 'x-ilk-console' };
    const { headers } = await ask(namespaces, { method: 'OPTIONS', headers: preflight });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('other origins cannot sign users in or out', async () => {
    const { cookie } = await signIn({ code: newCode() });
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? JSON.stringify({ code: newCode() }) : '';
      expect((await ask('/console/session', { method, headers: { cookie }, body })).status).toBe(403);
    }
    expect(await userOf(cookie)).toBe('ilk-admin');
  });

  test('ends by signing out', async () => {
    const { cookie } = await signIn({ code: newCode() });
    const headers = { cookie, ...ofConsole };
    expect((await ask('/console/session', { headers })).json).toMatchObject({ user: 'ilk-admin' });
    const out = await ask('/console/session', { method: 'DELETE', headers });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^ilk-console-\d+=; Path=\/; Max-Age=0;/);
    expect(await userOf(cookie)).toBe('401');
    expect((await ask('/console/session', { headers })).json).toEqual({});
  });

  test('ends by itself', async () => {
    const { cookie } = await signIn({ code: newCode() });
    clock.advance(limits.consoleSessionMs);
    expect(await userOf(cookie)).toBe('401');
  });
});

test('a server without a console has none of it', async () => {
  await using plain = await startServer();
  expect(plain.consoleLink()).toBeUndefined();
  for (const path of ['/console/', '/console/session'])
    expect((await fetch(`${plain.url}${path}`, { headers: ofConsole })).status).toBe(401);
  expect((await plain.fetch('/console/')).status).toBe(404);
  expect((await plain.fetch('/ilk/v1/console/codes', { method: 'POST' })).status).toBe(404);
});
