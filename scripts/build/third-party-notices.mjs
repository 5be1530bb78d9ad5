// The licences of the packages that the bundle contains.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @throws {Error} for a bundled package that has no licence */
export function writeNotices({ inputs }) {
  const folders = new Set(
    Object.keys(inputs)
      .map(packageFolder)
      .filter((folder) => folder !== undefined),
  );
  const notices = [...folders].sort().map(notice);
  const head = 'This package contains the following packages, each under its own licence.\n';
  writeFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), [head, ...notices].join('\n'));
}

/** `node_modules/@a/b/node_modules/c/lib/x.js` belongs to `node_modules/@a/b/node_modules/c`. */
function packageFolder(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (license === undefined) throw new Error(`${name} says nothing of its licence`);
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${licenceText(join(root, folder))}`;
}

function licenceText(folder) {
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  return file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
}
