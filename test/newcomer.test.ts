import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/library/index.ts';
import { buildIfMissing } from './fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

/** Mistakes of newcomers and the exact responses. docs/troubleshooting.md has the remedy of each. */

const page = readFileSync(new URL('../docs/troubleshooting.md', import.meta.url), 'utf8');
const launcher = fileURLToPath(new URL('../bin/ilk', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-newcomer-'));
let server: IlkServer;

beforeAll(async () => {
  buildIfMissing();
  writeFileSync(join(folder, 'broken.yaml'), 'a: [1\n');
  writeFileSync(join(folder, 'widget.yaml'), 'kind: Widget');
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'empty'));
  server = await startServer({ crds: [widgetCrd], listen: false });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function ilk(words: string): Promise<string> {
  const child = spawn(process.execPath, [launcher, ...words.split(' ')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  await once(child, 'close');
  expect(child.exitCode).toBe(1);
  return said.replaceAll(folder, '…').trim();
}

/** The page has the answer word for word. */
const isExplained = (answer: string) => expect(page).toContain(answer.split('\n')[0]);

describe('on the command line', () => {
  test.each([
    ['serv', "error: unknown command 'serv'\n(Did you mean serve?)\n(ilk --help shows what there is)"],
    ['serve --data-dirr x', "error: unknown option '--data-dirr'\n(Did you mean --data-dir?)"],
    [
      'serve --secure-port abc',
      "error: option '--secure-port <port>' argument 'abc' is invalid. not a port.",
    ],
    ['serve --data-dir file', 'ilk: --data-dir …/file: cannot be used: it is a file, not a folder'],
    ['serve --crds nothing.yaml', 'ilk: --crds nothing.yaml: no such file or folder'],
    [
      'serve --storage memory --secure-port 0 --crds broken.yaml',
      "ilk: --crds broken.yaml: yaml: line 2: did not find expected ',' or ']'",
    ],
    [
      'serve --storage redis',
      "error: option '--storage <kind>' argument 'redis' is invalid. Allowed choices are memory, sqlite.",
    ],
    ['validate widget.yaml', 'widget.yaml:1: Widget: apiVersion and kind must be set'],
    ['export --data-dir empty', 'ilk: …/empty is no data directory: it has no ilk.db'],
    ['restore --data-dir new missing', 'ilk: missing: no such file, or one that cannot be read'],
  ])('ilk %s', async (words, answer) => {
    const said = await ilk(words);
    expect(said.startsWith(answer) ? answer : said).toBe(answer);
    isExplained(answer);
  });
});

describe('in a test', () => {
  test.each([
    [{ crd: [] }, "startServer: unknown option 'crd' (Did you mean crds?)"],
    [{ crds: 'config/crd' }, "startServer: option 'crds' argument 'config/crd' is invalid. not a list."],
    [
      { crds: [{ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } }] },
      "startServer: option 'crds[0]' argument an object is invalid. not a CustomResourceDefinition.",
    ],
    [{ storage: { kind: 'sqlite' } }, "startServer: required option 'storage.dataDir' not specified"],
    [
      { listen: { port: 70_000 } },
      "startServer: option 'listen.port' argument '70000' is invalid. not a port.",
    ],
    [
      { conversions: { 'gardens.example.com': () => ({}) } },
      'conversions: there is no CRD "gardens.example.com" among crds',
    ],
  ])('startServer(%j)', async (options, answer) => {
    // Somebody without types.
    await expect(startServer(options as object)).rejects.toThrow(answer);
    isExplained(answer);
  });
});

describe('of a server', () => {
  const json = { 'content-type': 'application/json' };
  const post = (body: object | string, headers: Record<string, string> = json) => ({
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  test.each([
    ['a kind that is not there', '/apis/example.com/v1/wigdets', {}, 404, '404 page not found\n'],
    [
      'a value that the schema does not know',
      widgetsPath(),
      post({ ...widget('one'), spec: { color: 'grue' } }),
      422,
      'Widget.example.com "one" is invalid: spec.color: Unsupported value: "grue": supported values: "blue", "green", "red"',
    ],
    [
      'a field that the schema does not know',
      `${widgetsPath()}?fieldValidation=Strict`,
      post({ ...widget('one'), spec: { colour: 'blue' } }),
      400,
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour"',
    ],
    [
      'a namespace that is not there',
      widgetsPath('nowhere'),
      post({ ...widget('one'), metadata: { name: 'one', namespace: 'nowhere' } }),
      404,
      'namespaces "nowhere" not found',
    ],
    [
      'a patch without its type',
      `${widgetsPath()}/one`,
      { method: 'PATCH', headers: json, body: '{}' },
      415,
      'the body of the request was in an unknown format',
    ],
  ])('%s', async (_, path, request, code, answer) => {
    const response = await server.fetch(path, request);
    const text = await response.text();
    const said: string = text.startsWith('{') ? JSON.parse(text).message : text;
    expect([response.status, said.startsWith(answer) ? answer : said]).toEqual([code, answer]);
    isExplained(answer);
  });

  test('an object that exists, and one that was changed meanwhile', async () => {
    const created = await server.fetch(widgetsPath(), post(widget('twice')));
    const stale = (await created.json()) as object;
    const again = await server.fetch(widgetsPath(), post(widget('twice')));
    const exists = 'widgets.example.com "twice" already exists';
    expect(await again.json()).toMatchObject({ code: 409, message: exists });
    isExplained(exists);
    const change = { method: 'PUT', headers: json };
    const put = (color: string) =>
      server.fetch(`${widgetsPath()}/twice`, {
        ...change,
        body: JSON.stringify({ ...stale, spec: { color } }),
      });
    await put('green');
    const conflict =
      'Operation cannot be fulfilled on widgets.example.com "twice": the object has been modified; please apply your changes to the latest version and try again';
    expect(await (await put('red')).json()).toMatchObject({ code: 409, message: conflict });
    isExplained(conflict);
  });

  test('a user without rights, and invalid credentials', async () => {
    const guest = server.as({ name: 'guest' });
    const forbidden =
      'widgets.example.com is forbidden: User "guest" cannot list resource "widgets" in API group "example.com" in the namespace "default"';
    expect(await (await guest.fetch(widgetsPath())).json()).toMatchObject({ code: 403, message: forbidden });
    isExplained(forbidden);
    const unknown = await server.as({ token: 'made-up' }).fetch(widgetsPath());
    expect(await unknown.json()).toMatchObject({ code: 401, message: 'Unauthorized' });
    isExplained('`Unauthorized`');
  });
});
