// `npm run wire [REQUESTS [CONNECTIONS]]`: the large form of the tests in test/wire. WIRE_NODE names another Node to run it on.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Beside node_modules, so that what stays outside the bundle is found.
const folder = mkdtempSync(join(root, 'node_modules', '.wire-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/wire/large.ts'],
    outfile: join(folder, 'large.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['@photostructure/sqlite', 'node:sqlite'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const node = process.env['WIRE_NODE'] ?? process.execPath;
  const args = ['--expose-gc', join(folder, 'large.mjs'), ...process.argv.slice(2)];
  const env = { ...process.env, ILK_WIRE_CLIENTS: join(root, 'test', 'wire', 'clients') };
  process.exitCode = spawnSync(node, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
