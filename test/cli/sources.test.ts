import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';
import { kubectlMinor } from '../fixtures/kubectl.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { runIlk } from './run-ilk.ts';

/** The CRD of the source, and one that takes fewer colors. */
const crdText = JSON.stringify(widgetCrd);
const stricter = crdText.replace('"blue",', '');
const widgets = ['one', 'two'].map((name) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { color: name === 'one' ? 'blue' : 'green' },
}));

const root = mkdtempSync(join(tmpdir(), 'ilk-sources-'));
writeFileSync(join(root, 'stricter.yaml'), stricter);

const documents: Readonly<Record<string, string>> = {
  '/crd.yaml': crdText,
  '/widgets.yaml?ref=main': widgets.map((one) => `---\n${JSON.stringify(one)}\n`).join(''),
};

const web = createServer((request, response) => {
  const { url = '' } = request;
  // Releases of GitHub are redirects.
  if (url === '/latest') response.writeHead(302, { location: '/crd.yaml' }).end();
  else response.writeHead(url in documents ? 200 : 404).end(documents[url] ?? 'no such page');
});

let url: string;
let server: IlkServer;
let env: { KUBECONFIG: string };

beforeAll(async () => {
  buildIfMissing();
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  server = await startServer({
    crds: [widgetCrd],
    objects: widgets,
    listen: { host: '127.0.0.1', port: 0, tls: true },
  });
  // The current context is unreachable: the named one is used.
  writeFileSync(
    join(root, 'kubeconfig'),
    server.kubeconfig.replace('current-context: ilk', 'current-context: none'),
  );
  env = { KUBECONFIG: join(root, 'kubeconfig') };
});

afterAll(async () => {
  web.close();
  await server.close();
  rmSync(root, { recursive: true });
});

const run = (args: readonly string[]) => runIlk(args, { cwd: root, env });

/** What each command makes of a source of a CRD and one of objects. */
function commandsRead(crd: () => string, objects: () => string): void {
  test('types', async () => {
    const { code, out } = await run(['types', crd()]);
    expect([code, out]).toEqual([0, expect.stringContaining('export interface Widget {')]);
  });

  test('diff', async () => {
    expect(await run(['diff', crd(), crd()])).toEqual({ code: 0, out: '0 changes, 0 breaking\n', err: '' });
    const { code, out } = await run(['diff', crd(), 'stricter.yaml']);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/\.spec\.color.*blue.*\n1 changes?, 1 breaking\n$/s),
    ]);
  });

  test('validate', async () => {
    const checked = await run(['validate', '--verbose', '--crds', crd(), objects()]);
    const [first, second] = checked.out.split('\n');
    expect([first, second]).toEqual([
      expect.stringMatching(/: Widget default\/one is valid$/),
      expect.stringMatching(/: Widget default\/two is valid$/),
    ]);
    const refused = await run(['validate', '--crds', 'stricter.yaml', '-f', objects()]);
    const text = 'spec.color: Unsupported value: "blue": supported values: "green", "red"';
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringContaining(`Widget default/one: ${text}\n`),
    ]);
    // The place of what is wrong is the source itself.
    expect(refused.out).toContain(`${objects()}:`);
  });

  test('import', async () => {
    const dataDir = mkdtempSync(join(root, 'data-'));
    const imported = await run(['import', '--data-dir', dataDir, crd(), objects()]);
    expect([imported.code, imported.err]).toEqual([0, expect.stringContaining('3 ')]);
    const { out } = await run(['export', '--data-dir', dataDir]);
    expect(out.match(/^kind: Widget$/gm)).toHaveLength(2);
    rmSync(dataDir, { recursive: true });
  });

  test('serve --crds', async () => {
    const serving = new IlkProcess(['serve', '--secure-port=0', '--storage=memory', '--crds', crd()], env);
    const client = new HttpsClient((await serving.ready()).kubeconfig);
    expect((await client.call('GET', '/apis/example.com/v1/widgets')).code).toBe(200);
    client.close();
    serving.kill('SIGTERM');
    await serving.ended();
  });
}

describe('a URL', () => {
  commandsRead(
    () => `${url}/crd.yaml`,
    () => `${url}/widgets.yaml?ref=main`,
  );

  test('that redirects, and one that is gone', async () => {
    expect((await run(['types', `${url}/latest`])).out).toContain('export interface Widget {');
    expect(await run(['types', `${url}/gone`])).toMatchObject({
      code: 1,
      err: `ilk: ${url}/gone: 404 Not Found\n`,
    });
  });
});

test('annotations of a comparison stand where the field does', async () => {
  writeFileSync(join(root, 'lines.yaml'), stricter.replace('"color":{', '\n"color":{'));
  const { out } = await run(['diff', '-o', 'github', `${url}/crd.yaml`, 'lines.yaml']);
  expect(out).toMatch(/^::error file=lines\.yaml,line=2,title=widgets\.example\.com v1 \.spec\.color::/);
});

describe.skipIf(kubectlMinor === undefined)('a cluster (skipped without kubectl)', () => {
  commandsRead(
    () => 'kube://ilk',
    () => 'kube://ilk/widgets.example.com',
  );

  test('of the current context, and an unknown one', async () => {
    const current = { KUBECONFIG: server.kubeconfigPath };
    const { out } = await runIlk(['types', 'kube://'], { cwd: root, env: current });
    expect(out).toContain('export interface Widget {');
    const { code, err } = await run(['types', 'kube://nowhere']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^ilk: kube:\/\/nowhere: .*nowhere/)]);
  });
});
