// The list of decisions.
import { readFileSync } from 'node:fs';
import { root } from './paths.mjs';

/**
 * @param {readonly string[]} files that the site shows
 * @returns {string} a page that lists the decisions
 */
export function decisionsPage(files) {
  const lines = files
    .filter((path) => /^docs\/decisions\/\d/.test(path))
    .sort()
    .map((path) => `- [${titleOf(path)}](/${path.slice('docs/'.length)})`);
  return `# Decisions\n\nWhy Ilk is built the way it is.\n\n${lines.join('\n')}\n`;
}

/** @returns {string} the first heading of a page, as plain text */
export function titleOf(path) {
  const [, title = path] = /^# (.*)$/m.exec(readFileSync(root + path, 'utf8')) ?? [];
  return title.replaceAll('`', '');
}
