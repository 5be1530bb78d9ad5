import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reasons } from './snippet-reasons.ts';
import { runs } from './snippet-runs.ts';

/** Each snippet of the pages is run by a test, or has a reason in `snippet-reasons.ts`. */

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Snippet {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** Without decisions and the changelog, which describe past states. */
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
const beginnings = Object.entries(reasons).flatMap(([page, byBeginning]) =>
  Object.keys(byBeginning).map((begins) => ({ page, begins })),
);
const hasReason = ({ page, text }: Snippet) =>
  Object.keys(reasons[page] ?? {}).some((begins) => text.startsWith(begins));

test('each snippet is run, or has a reason', () => {
  const lost = snippets.filter((snippet) => !isRun(snippet) && !hasReason(snippet));
  expect(lost.map(({ page, language, text }) => [page, language, text.split('\n')[0]])).toEqual([]);
});

test('each reason is for a snippet that is not run', () => {
  const idle = beginnings.filter(
    ({ page, begins }) =>
      !snippets.some(
        (snippet) => snippet.page === page && snippet.text.startsWith(begins) && !isRun(snippet),
      ),
  );
  expect(idle).toEqual([]);
});

test('the test that runs a page exists, and names it', () => {
  const wrong = runs.filter(({ page, by, languages }) => {
    if (!snippets.some((snippet) => snippet.page === page && languages.includes(snippet.language)))
      return true;
    if (!existsSync(root + by)) return true;
    const named = page.replace(/^docs\//, '');
    return !readFileSync(root + by, 'utf8').includes(named);
  });
  expect(wrong).toEqual([]);
});
