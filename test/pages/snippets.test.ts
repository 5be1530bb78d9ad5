import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { excuses, runs } from './snippet-runs.ts';

/** Each command and snippet of the pages is run by a test, or says why not. */

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Snippet {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** Decisions tell of their time, the changelog of all times. */
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`),
];

const snippets: Snippet[] = pages.flatMap((page) =>
  [...readFileSync(root + page, 'utf8').matchAll(/^( *)```(\S*)[^\n]*\n([\s\S]*?)^ *```/gm)].map(
    ([, indent = '', language = '', text = '']) => ({
      page,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
);

const isRun = ({ page, language }: Snippet) =>
  runs.some((run) => run.page === page && run.languages.includes(language));
const excuseOf = ({ page, text }: Snippet) =>
  excuses.find((excuse) => excuse.page === page && text.startsWith(excuse.begins));

test('each snippet is run, or has its reason', () => {
  const lost = snippets.filter((snippet) => !isRun(snippet) && excuseOf(snippet) === undefined);
  expect(lost.map(({ page, language, text }) => [page, language, text.split('\n')[0]])).toEqual([]);
});

test('there is no reason for what is not there, or is run', () => {
  const idle = excuses.filter(
    (excuse) => !snippets.some((snippet) => excuseOf(snippet) === excuse && !isRun(snippet)),
  );
  expect(idle).toEqual([]);
});

test('what runs a page is there, and names it', () => {
  const wrong = runs.filter(({ page, by, languages }) => {
    if (!snippets.some((snippet) => snippet.page === page && languages.includes(snippet.language)))
      return true;
    if (!existsSync(root + by)) return true;
    const named = page.replace(/^docs\//, '');
    return !readFileSync(root + by, 'utf8').includes(named);
  });
  expect(wrong).toEqual([]);
});
