// `npm run differential`: compares the server with recorded answers of kube-apiserver; `-- --help` says what else it does.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
// Beside node_modules, so that what stays outside the bundle is found.
const folder = mkdtempSync(join(root, 'node_modules', '.differential-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/differential/main.ts'],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['@photostructure/sqlite', 'node:sqlite'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const { run } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
  process.exitCode = await run(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true });
}
