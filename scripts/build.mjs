// Builds dist/: the library as modules with types, and the command line as one bundle, which halves its start.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'src/cli/main.ts',
    // What `ilk envtest-assets` points to.
    'kube-apiserver': 'src/cli/envtest/kube-apiserver-main.ts',
    etcd: 'src/cli/envtest/etcd-main.ts',
    // The plugin of kubectl.
    'feature-gates': 'src/cli/feature-gates/main.ts',
  },
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Packages that have both: their ES modules, which can be bundled without wrapping.
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  // A native module finds its binary beside itself, so it cannot be moved into the bundle.
  external: ['@photostructure/sqlite', 'node:sqlite'],
  // CommonJS packages in an ES module bundle ask for `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
