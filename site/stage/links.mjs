// Links between files of the repository as links between pages of the site.
import { posix } from 'node:path';
import { pageOf } from './paths.mjs';

const code = /(^ *```[\s\S]*?^ *```|`[^`\n]*`)/gm;
const markdownLink = /(\]\()([^)\s]+)(\))/g;
const htmlLink = /((?:src|srcset|href)=")([^"]+)(")/g;

/**
 * @param {string} text Markdown
 * @param {string} path of its file, from the root of the repository
 * @param {ReadonlySet<string>} files that the site shows
 * @returns {string} the same with links to pages of the site
 * @throws {Error} for a link to a file or folder that the site does not show
 */
export function withLinksOfSite(text, path, files) {
  const replace = (_, before, link, after) => `${before}${linkOfSite(link, path, files)}${after}`;
  return text
    .split(code)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(markdownLink, replace).replace(htmlLink, replace),
    )
    .join('');
}

function linkOfSite(link, path, files) {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [target = '', anchor] = link.split('#');
  const file = posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/, '');
  const page = pageOfTarget(file, files);
  if (page === undefined) throw new Error(`${path}: ${link} leads to nothing that the site shows`);
  return `/${page}${anchor === undefined ? '' : `#${anchor}`}`;
}

function pageOfTarget(file, files) {
  if (file.startsWith('docs/images/')) return file.slice('docs/'.length);
  if (files.has(file)) return pageOf(file);
  for (const index of ['index.md', 'README.md']) {
    if (files.has(`${file}/${index}`)) return pageOf(`${file}/${index}`);
  }
  const isFolder = [...files].some((one) => one.startsWith(`${file}/`));
  return isFolder ? `source/${file}/index.md` : undefined;
}
