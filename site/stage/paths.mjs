// Where the files of the repository are on the site.
import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the generator's input: copies, made by every build. */
export const pagesFolder = `${root}site/.pages/`;

const folders = /^(docs|examples|deploy)\//;
const single = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', 'action.yml'];

/** @returns {string[]} the files of the repository that the site shows, new ones among them, ignored ones not */
export function shownFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return files.filter((path) => folders.test(path) || single.includes(path));
}

/**
 * The page of the site that shows a file of the repository.
 *
 * @param {string} path of the file, from the root of the repository
 * @returns {string} of the page, from the root of the site
 */
export function pageOf(path) {
  if (path === 'README.md') return 'five-minutes.md';
  if (path.startsWith('docs/') && path.endsWith('.md')) return path.slice('docs/'.length);
  if (/^[A-Z]+\.md$/.test(path)) return path.toLowerCase();
  if (path.endsWith('README.md')) return posix.join('source', posix.dirname(path), 'index.md');
  return `source/${path}.md`;
}
