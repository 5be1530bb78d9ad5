import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { PageFiles } from './page-files.ts';

const outer = mkdtempSync(join(tmpdir(), 'ilk-pages-'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const folder = join(outer, 'console');
mkdirSync(folder);
writeFileSync(join(outer, 'secret.js'), 'secret');
writeFileSync(join(folder, 'app-ABCDEF12.js'), 'let a;');

const files = new PageFiles(pathToFileURL(`${folder}/`));

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = {
    method,
    path,
    query: new URLSearchParams(),
    header: (name: string) => headers[name],
    body: async () => new Uint8Array(),
    certificate: undefined,
  };
  const { status, headers: answered, body } = await files.respond(request);
  return { status, headers: answered, text: Buffer.from(body).toString(), body };
}

test('serves no page before the build, and finds it afterwards', async () => {
  expect(await get('/console/')).toMatchObject({
    status: 404,
    text: 'the console was not built: npm run build\n',
  });
  writeFileSync(join(folder, 'index.html'), '<p>');
  expect(await get('/console/')).toMatchObject({ status: 200, text: '<p>' });
});

test('serves the same page for every path, because the script routes views', async () => {
  const { status, headers, text } = await get('/console/objects/example.com/v1/widgets');
  expect([status, text, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    '<p>',
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  expect(await get('/console')).toMatchObject({ status: 308, headers: { location: '/console/' } });
});

test('caches a file with a digest in its name for a year', async () => {
  const { status, headers, text } = await get('/console/assets/app-ABCDEF12.js');
  expect([status, text, headers['cache-control']]).toEqual([
    200,
    'let a;',
    'public, max-age=31536000, immutable',
  ]);
  const etag = String(headers['etag']);
  expect(await get('/console/assets/app-ABCDEF12.js', { 'if-none-match': etag })).toMatchObject({
    status: 304,
    text: '',
  });
  const packed = await get('/console/assets/app-ABCDEF12.js', { 'accept-encoding': 'br, gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.body).toString()).toBe('let a;');
});

test('serves nothing outside of the folder', async () => {
  for (const name of [
    '../secret.js',
    '%2e%2e%2fsecret.js',
    '..%2fsecret.js',
    '/etc/passwd',
    'index.html',
    'x/y.js',
    '',
  ]) {
    expect(await get(`/console/assets/${name}`)).toMatchObject({ status: 404, text: 'no such file\n' });
  }
  expect(await get('/console/', {}, 'POST')).toMatchObject({ status: 405 });
});

test('every response has a content security policy', async () => {
  for (const path of [
    '/console/',
    '/console',
    '/console/assets/app-ABCDEF12.js',
    '/console/assets/none.js',
  ]) {
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  }
});
