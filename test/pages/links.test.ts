import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

const pages = [
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, name)),
  ...['docs', 'examples'].flatMap((folder) => pagesIn(join(root, folder))),
];

/** Code has brackets of its own. */
const withoutCode = (text: string) =>
  text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Headings as pages are linked to: lower case, without signs, with dashes for spaces. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What is wrong with the links of a page. */
function deadLinks(page: string): string[] {
  const links = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)];
  return links.flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor = ''] = link.split('#');
    const target = path === '' ? page : resolve(dirname(page), path);
    if (!existsSync(target)) return [link];
    const isPage = anchor !== '' && statSync(target).isFile() && target.endsWith('.md');
    return isPage && !anchorsOf(target).has(anchor) ? [link] : [];
  });
}

test('each page links only to what is there', () => {
  expect(pages.length).toBeGreaterThan(40);
  const dead = pages.flatMap((page) => deadLinks(page).map((link) => `${relative(root, page)}: ${link}`));
  expect(dead).toEqual([]);
});
