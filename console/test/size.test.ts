import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = new URL('../../dist/console/', import.meta.url);
const firstViewBytesMax = 200 * 1024;

test('the first view is small: what the page names, compressed', () => {
  const page = readFileSync(new URL('index.html', folder), 'utf8');
  const names = [...page.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThanOrEqual(3);
  const bytes = [page, ...names.map((name) => readFileSync(new URL(name, folder)))]
    .map((content) => gzipSync(content, { level: 9 }).byteLength)
    .reduce((sum, size) => sum + size, 0);
  console.log(`first view: ${bytes} bytes compressed`);
  expect(bytes).toBeLessThan(firstViewBytesMax);
  // The editor comes when it is opened.
  expect(names.filter((name) => name.startsWith('yaml-editor'))).toEqual([]);
});
