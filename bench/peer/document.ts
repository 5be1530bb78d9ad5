import { readFileSync, writeFileSync } from 'node:fs';

const document = 'docs/benchmarks.md';
const begin = '<!-- made by `npm run bench -- peer --write`: begin -->';
const end = '<!-- end -->';

/** Puts a table where docs/benchmarks.md has the last one. */
export function writeDocument(text: string): void {
  const old = readFileSync(document, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${document} has no place for the table`);
  writeFileSync(document, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`);
}
