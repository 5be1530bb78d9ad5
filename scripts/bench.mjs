// `npm run bench`: bundles and runs the benchmarks, one process each; `npm run bench -- http list` runs those named.
// Options go to those that have some: `npm run bench -- peer --rows get-h2`. `--profile ROW` profiles a row of `peer`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import './prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const first = process.argv.slice(2).findIndex((text) => text.startsWith('--'));
const options = first === -1 ? [] : process.argv.slice(2 + first);
const asked = process.argv.slice(2, first === -1 ? undefined : 2 + first);
if (options.includes('--profile') && asked.length === 0) asked.push('peer');
const names = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
  .filter((name) => asked.length === 0 || asked.includes(name));

// Beside node_modules, so that what stays outside the bundles is found.
const folder = mkdtempSync(join(root, 'node_modules', '.bench-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...names.map((name) => `bench/${name}.ts`),
      'bench/http/floor-server.ts',
      'bench/http/client.ts',
      'bench/peer/profiled-ilk.ts',
      'bench/postgres/event-server.ts',
      'bench/stalls/loop-pauses.ts',
      'bench/stalls/prober.ts',
      'bench/threads/user.ts',
    ],
    outdir: folder,
    outbase: 'bench',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: [
      '@photostructure/sqlite',
      'node:sqlite',
      'ajv',
      'ajv-formats',
      '@marcbachmann/cel-js',
      're2js',
      'pg-native',
    ],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  for (const name of names) {
    process.stdout.write(`\n## ${name}\n\n`);
    const call = `const { run } = await import(${JSON.stringify(join(folder, `${name}.mjs`))}); await run((line) => console.log(line), ${JSON.stringify(options)}); process.exit(0);`;
    spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', call], {
      cwd: root,
      stdio: 'inherit',
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}
