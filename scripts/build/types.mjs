// The declarations of the library's entries, rolled up from the compiler's: one for each, and what they share.
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
    await rollUp(folder);
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

/** Entries share what they both export, so that a server of one is a server of the other: classes have private fields. */
async function rollUp(folder) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const declarationOf = (path) => join(folder, path.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
  const input = Object.fromEntries(
    Object.entries(libraryEntries).map(([name, path]) => [name, declarationOf(path)]),
  );
  // What it warns of, the order of execution across chunks, is nothing that declarations have.
  const bundle = await rollup({
    input,
    external: [/^node:/],
    logLevel: 'silent',
    plugins: [sourceNames, dts()],
  });
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types-[hash].d.ts',
  });
  await bundle.close();
  const names = new Set(output.map(({ fileName }) => fileName));
  for (const { fileName, code, imports } of output) {
    const foreign = imports.filter((one) => !one.startsWith('node:') && !names.has(one));
    if (foreign.length > 0)
      throw new Error(
        `the types of ${fileName} lead to ${foreign}, which is not installed with this package`,
      );
    writeDeclarations(fileName, code);
  }
}

/** For ES modules, and for CommonJS, whose files lead to each other by their own ending. */
function writeDeclarations(fileName, code) {
  writeFileSync(join(root, 'dist', 'lib', fileName), code);
  const cjs = code.replaceAll(/(from '\.\/[\w-]+)(?:\.d)?\.[jt]s'/g, "$1.cjs'");
  writeFileSync(join(root, 'dist', 'lib', fileName.replace(/\.ts$/, '.cts')), cjs);
}

/** The compiler leaves the names of sources in declarations: `./x.ts` stands for `./x.d.ts`. */
const sourceNames = {
  name: 'source-names',
  resolveId(id, from) {
    if (!id.startsWith('.') || from === undefined) return undefined;
    return resolve(dirname(from), id.replace(/\.ts$/, '.d.ts'));
  },
};
