import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** The modules of the site are plain JavaScript. */
interface CheckModule {
  readonly checkSite: (folder: string) => { readonly pages: number; readonly wrong: readonly string[] };
}
interface LinksModule {
  readonly withLinksOfSite: (text: string, path: string, files: ReadonlySet<string>) => string;
}
const moduleAt = <Module>(path: string): Promise<Module> => import(new URL(path, import.meta.url).href);
const { checkSite } = await moduleAt<CheckModule>('../check/links.mjs');
const { withLinksOfSite } = await moduleAt<LinksModule>('../stage/links.mjs');

const folder = mkdtempSync(join(tmpdir(), 'ilk-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

function page(name: string, html: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), html);
}

test('reports missing pages, anchors and pictures, and what is loaded from other hosts', () => {
  page(
    'index.html',
    '<h1 id="top"><a href="/guide/one.html#start">x</a> <a href="#top">x</a> <a href="https://example.com">x</a>',
  );
  page(
    'guide/one.html',
    '<h2 id="start"><a href="two.html">x</a> <a href="../#bottom">x</a> <img src="/none.svg">',
  );
  page('guide/index.html', '<script src="https://cdn.example.com/a.js"></script> <a href="/guide/one">x</a>');
  page('style.css', "@font-face { src: url('https://fonts.example.com/a.woff2') }");
  const { pages, wrong } = checkSite(folder);
  expect(pages).toBe(3);
  expect([...wrong].sort()).toEqual([
    'guide/index.html: https://cdn.example.com/a.js is loaded from elsewhere',
    'guide/one.html: ../#bottom leads to nothing',
    'guide/one.html: /none.svg leads to nothing',
    'guide/one.html: two.html leads to nothing',
    'style.css: https://fonts.example.com/a.woff2 is loaded from elsewhere',
  ]);
});

test('links between files become links between pages; code and other hosts stay', () => {
  const files = new Set([
    'docs/cel.md',
    'docs/index.md',
    'ARCHITECTURE.md',
    'examples/go/main.go',
    'examples/go/README.md',
  ]);
  const site = (text: string) => withLinksOfSite(text, 'docs/cel.md', files);
  expect(site('[a](index.md#x) [b](../ARCHITECTURE.md) [c](#here)')).toBe(
    '[a](/index.md#x) [b](/architecture.md) [c](#here)',
  );
  expect(site('[a](../examples/go) [b](../examples/go/main.go)')).toBe(
    '[a](/source/examples/go/index.md) [b](/source/examples/go/main.go.md)',
  );
  expect(site('`[a](b.md)` [c](https://example.com)\n```\n[d](e.md)\n```\n')).toBe(
    '`[a](b.md)` [c](https://example.com)\n```\n[d](e.md)\n```\n',
  );
  expect(() => site('[a](../src/cel/index.ts)')).toThrow(
    'docs/cel.md: ../src/cel/index.ts leads to nothing that the site shows',
  );
});
