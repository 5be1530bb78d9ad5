// `node scripts/record-policies.mjs CORPUS URL CERT KEY FILE`: records what a kube-apiserver makes of the policies of a corpus.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(root, 'node_modules', '.policies-'));
try {
  const outfile = join(folder, 'record.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/corpus/policies/record.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['@photostructure/sqlite', 'node:sqlite'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const { run } = await import(pathToFileURL(outfile).href);
  await run(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true });
}
