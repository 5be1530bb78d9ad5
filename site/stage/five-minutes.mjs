// What README.md is on the site: its tutorial. The first page has the rest.
import { readFileSync } from 'node:fs';
import { root } from './paths.mjs';

/** @returns {string} the tutorial as a page, with links as README.md has them */
export function fiveMinutesPage() {
  const text = readFileSync(`${root}README.md`, 'utf8');
  const [, run] = /^## Run it\n([\s\S]*?)^## /m.exec(text) ?? [];
  const [, tutorial] = /^## Five minutes\n([\s\S]*?)^## /m.exec(text) ?? [];
  if (run === undefined || tutorial === undefined)
    throw new Error('README.md has no sections "Run it" and "Five minutes"');
  return `# Run it, and try it\n\n## Run it\n${run}## Five minutes\n${tutorial}`;
}
