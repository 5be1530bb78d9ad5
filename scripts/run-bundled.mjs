// Bundles a program of this repository and runs it in a process of its own, with `gc()` exposed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs `main(args)` of a file, and gives the exit code. Files that it starts as processes of their own are bundled too;
 * their places come first among the arguments.
 */
export async function runBundled(entry, args, started = []) {
  // Beside node_modules, so that what stays outside the bundle is found.
  const folder = mkdtempSync(join(root, 'node_modules', '.run-'));
  try {
    const file = join(folder, 'main.mjs');
    const others = started.map((_, index) => join(folder, `started-${index}.mjs`));
    const entryPoints = Object.fromEntries([
      ['main', entry],
      ...started.map((path, index) => [`started-${index}`, path]),
    ]);
    await build({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      external: ['@photostructure/sqlite', 'node:sqlite'],
      sourcemap: 'inline',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const call = `const { main } = await import(${JSON.stringify(file)}); await main(${JSON.stringify([...others, ...args])}); process.exit();`;
    const flags = ['--expose-gc', '--enable-source-maps', '--input-type=module', '-e', call];
    return spawnSync(process.execPath, flags, { stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
