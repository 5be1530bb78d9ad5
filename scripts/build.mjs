// Builds dist/: the command line and the library, bundled with their dependencies into shared chunks.
// With `--types` also one .d.ts for each entry of the library, which only the packed package needs.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeNotices } from './build/third-party-notices.mjs';
import { writeTypes } from './build/types.mjs';
import { buildConsole } from './build/console.mjs';
import { libraryEntries } from './build/entries.mjs';
import { requireHttp } from './build/require-http.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

const shared = {
  absWorkingDir: root,
  bundle: true,
  // Smaller files load faster. Identifiers stay, as they are what stack traces show.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node20',
  // Packages that have both: their ES modules, which can be bundled without wrapping.
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  // A native module finds its binary beside itself, so it cannot be moved into the bundle; pg-native is not used.
  external: ['@photostructure/sqlite', 'node:sqlite', 'pg-native'],
  // node-postgres requires its parts, which have ES modules that only repeat them: those would be wrapped wrongly.
  alias: Object.fromEntries(
    Object.entries({
      pg: 'pg/lib/index.js',
      'pg-pool': 'pg-pool/index.js',
      'pg-protocol': 'pg-protocol/dist/index.js',
      'pg-connection-string': 'pg-connection-string/index.js',
    }).map(([name, path]) => [name, `${root}node_modules/${path}`]),
  ),
  metafile: true,
  logLevel: 'warning',
};

const modules = await build({
  ...shared,
  entryPoints: {
    'bin/main': 'src/cli/main.ts',
    // What `ilk envtest-assets` points to.
    'bin/kube-apiserver': 'src/cli/envtest/kube-apiserver-main.ts',
    'bin/etcd': 'src/cli/envtest/etcd-main.ts',
    // The thread that runs the cases of the playground.
    'playground/worker': 'src/playground/worker-main.ts',
    // The plugin of kubectl.
    'bin/feature-gates': 'src/cli/feature-gates/main.ts',
    ...Object.fromEntries(Object.entries(libraryEntries).map(([name, path]) => [`lib/${name}`, path])),
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  format: 'esm',
  plugins: [requireHttp],
  // CommonJS packages in an ES module bundle ask for `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});

// Jest and other loaders of CommonJS cannot load ES modules: one bundle for all entries, and a file for each.
await build({
  ...shared,
  stdin: {
    contents: Object.entries(libraryEntries)
      .map(([name, path]) => `export * as ${name} from './${path}';`)
      .join('\n'),
    resolveDir: root,
  },
  outfile: 'dist/lib/all.cjs',
  format: 'cjs',
  // What the sources ask of `import.meta` is where they are.
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
});
for (const name of Object.keys(libraryEntries)) {
  writeFileSync(
    new URL(`../dist/lib/${name}.cjs`, import.meta.url),
    `module.exports = require('./all.cjs').${name};\n`,
  );
}

// The graph of static imports of each entry: tests hold what the library loads at once against it.
writeFileSync(new URL('../dist/metafile.json', import.meta.url), JSON.stringify(modules.metafile));
const pages = await buildConsole();
writeNotices({ inputs: { ...modules.metafile.inputs, ...pages.inputs } });
if (process.argv.includes('--types')) await writeTypes();
