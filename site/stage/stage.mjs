// Writes the pages that the generator reads: the repository's Markdown, with links of the site, and what is made from code.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { outlinedPages } from '../outline.mjs';
import { decisionsPage } from './decisions.mjs';
import { fiveMinutesPage } from './five-minutes.mjs';
import { withLinksOfSite } from './links.mjs';
import { withPicturesOfSite } from './pictures.mjs';
import { pageOf, pagesFolder, root, shownFiles } from './paths.mjs';
import { fileList, foldersOf, sourcePage } from './sources.mjs';

/** Pages of no file of the repository. */
const made = ['docs/decisions/index', 'docs/reference/api/index'];

/**
 * Writes all pages but those of the API.
 *
 * @throws {Error} for a page that the outline lacks, or has without its being there, and for a dead link
 */
export function stage() {
  const shown = shownFiles();
  checkOutline(shown);
  const files = new Set([...shown, ...made.map((page) => `${page}.md`)]);
  for (const path of shown) stageFile(path, files);
  for (const folder of foldersOf(shown.filter((path) => /^(examples|deploy)\//.test(path)))) {
    if (!files.has(`${folder}/README.md`))
      write(`source/${folder}/index.md`, `# ${folder}\n\n${fileList(folder, shown)}`);
  }
  write('decisions/index.md', decisionsPage(shown));
  cpSync(`${root}docs/images`, `${pagesFolder}public/images`, { recursive: true });
}

function stageFile(path, files) {
  if (path.startsWith('docs/images/')) return;
  if (!path.endsWith('.md')) {
    write(pageOf(path), sourcePage(path));
    return;
  }
  const markdown = path === 'README.md' ? fiveMinutesPage() : readFileSync(root + path, 'utf8');
  const text = withPicturesOfSite(withLinksOfSite(markdown, path, files));
  const isFolder = path.startsWith('examples/') && path.endsWith('README.md');
  write(pageOf(path), isFolder ? `${text}\n${fileList(dirname(path), [...files])}` : text);
}

function checkOutline(shown) {
  const outlined = new Set(outlinedPages());
  const there = [...shown.filter((path) => path.endsWith('.md')).map((path) => path.slice(0, -3)), ...made];
  const elsewhere = /^(examples\/|docs\/decisions\/\d)/;
  const lacking = there.filter((page) => !outlined.has(page) && !elsewhere.test(page));
  if (lacking.length > 0) throw new Error(`site/outline.mjs lacks ${lacking.join(', ')}`);
  const missing = [...outlined].filter((page) => !there.includes(page));
  if (missing.length > 0) throw new Error(`site/outline.mjs has ${missing.join(', ')}, which are not there`);
}

/** @param {string} page from the root of the site */
function write(page, text) {
  mkdirSync(dirname(pagesFolder + page), { recursive: true });
  writeFileSync(pagesFolder + page, text);
}

/** Takes away what the last build wrote. */
export function clear() {
  rmSync(pagesFolder, { recursive: true, force: true });
}
