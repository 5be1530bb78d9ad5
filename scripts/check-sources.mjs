// Fetches the sources of the comparison in docs/index.md and looks for what each claim rests on (sources/comparison.json). Exits with 1
// where a page is gone or says something else; what cannot be reached is skipped, and said.
import { readFileSync } from 'node:fs';
import { checkSource } from './sources/check.mjs';

/** @type {Record<string, string[]>} */
const evidence = JSON.parse(readFileSync(new URL('sources/comparison.json', import.meta.url), 'utf8'));
const counts = { ok: 0, wrong: 0, unreachable: 0 };
const labels = { ok: 'ok', wrong: 'WRONG', unreachable: 'SKIPPED' };
// One at a time: most of them are of one host.
for (const [url, words] of Object.entries(evidence)) {
  const { state, why } = await checkSource(url, words);
  counts[state]++;
  console.log(`${labels[state]}: ${url}${why === '' ? '' : `: ${why}`}`);
}
console.log(`${counts.ok} ok, ${counts.wrong} wrong, ${counts.unreachable} skipped`);
if (counts.wrong > 0) process.exitCode = 1;
