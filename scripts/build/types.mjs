// One .d.ts for each entry of the library, rolled up from the compiler's.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryEntries } from './entries.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The package installs no other ones, so its types may lead to none but Node's.
 *
 * @throws {Error} for sources that do not compile, and for a public type that leads to another package
 */
export async function writeTypes() {
  const folder = mkdtempSync(join(root, 'dist', 'types-'));
  try {
    compile(folder);
    for (const [name, path] of Object.entries(libraryEntries)) await rollUp(folder, name, path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compile(folder) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the types do not compile');
}

async function rollUp(folder, name, path) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const input = join(folder, path.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
  const bundle = await rollup({ input, plugins: [sourceNames, dts()] });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  const [{ code, imports }] = output;
  const foreign = imports.filter((one) => !one.startsWith('node:'));
  if (foreign.length > 0)
    throw new Error(`the types of ${name} lead to ${foreign}, which is not installed with this package`);
  for (const ending of ['d.ts', 'd.cts']) writeFileSync(join(root, 'dist', 'lib', `${name}.${ending}`), code);
}

/** The compiler leaves the names of sources in declarations: `./x.ts` stands for `./x.d.ts`. */
const sourceNames = {
  name: 'source-names',
  resolveId(id, from) {
    if (!id.startsWith('.') || from === undefined) return undefined;
    return resolve(dirname(from), id.replace(/\.ts$/, '.d.ts'));
  },
};
