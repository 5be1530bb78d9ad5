// What the pages of the built site lead to: each page, anchor and picture is there, and nothing is loaded from elsewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const base = (process.env.ILK_SITE_BASE ?? '/').replace(/\/$/, '');

/**
 * @param {string} folder of the built site
 * @returns {{ pages: number, wrong: string[] }} the number of pages, and a line for each link that leads to nothing
 */
export function checkSite(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(html|css)$/.test(name),
  );
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const ids = new Map([...pages].map(([name, text]) => [name, new Set(matches(text, / id="([^"]+)"/g))]));
  const wrong = [...pages].flatMap(([name, text]) => [
    ...links(text).flatMap((link) =>
      isThere(folder, ids, name, link) ? [] : [`${name}: ${link} leads to nothing`],
    ),
    ...loaded(text).map((link) => `${name}: ${link} is loaded from elsewhere`),
  ]);
  const styles = names.filter((name) => name.endsWith('.css'));
  const foreign = styles.flatMap((name) =>
    matches(readFileSync(join(folder, name), 'utf8'), /url\(["']?((?:https?:)?\/\/[^)"']+)/g).map(
      (link) => `${name}: ${link} is loaded from elsewhere`,
    ),
  );
  return { pages: pages.size, wrong: [...wrong, ...foreign] };
}

const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => decode(found));

const decode = (text) => decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&quot;', '"'));

function links(text) {
  const plain = matches(text, / (?:href|src)="([^"]*)"/g);
  const sets = matches(text, / srcset="([^"]*)"/g).flatMap((set) =>
    set.split(',').map((one) => one.trim().split(' ')[0]),
  );
  return [...plain, ...sets].filter((link) => link !== '' && !/^([a-z]+:|\/\/)/.test(link));
}

/** Links are followed by people; scripts, styles, pictures and fonts are loaded. */
function loaded(text) {
  const tags = text.match(/<(?:script|link|img|source|iframe)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => matches(tag, / (?:href|src|srcset)="((?:https?:)?\/\/[^"]*)"/g));
}

function isThere(folder, ids, page, link) {
  const [path = '', anchor] = link.split('#');
  const local = path.startsWith(`${base}/`)
    ? path.slice(base.length + 1)
    : posix.join(posix.dirname(page), path);
  let name = path === '' ? page : local;
  if (name === '' || name.endsWith('/')) name += 'index.html';
  if (existsSync(join(folder, name)) && statSync(join(folder, name)).isDirectory()) name += '/index.html';
  if (!existsSync(join(folder, name)) && existsSync(join(folder, `${name}.html`))) name += '.html';
  if (!existsSync(join(folder, name))) return false;
  return anchor === undefined || anchor === '' || ids.get(name)?.has(anchor) === true;
}
