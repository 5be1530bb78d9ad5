// Builds dist/: the command line and the library, bundled with their dependencies into one file, and an entry for each.
// With `--types` also one .d.ts for each entry of the library, which only the packed package needs.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeNotices } from './build/third-party-notices.mjs';
import { writeTypes } from './build/types.mjs';
import { buildConsole } from './build/console.mjs';
import { lazyBuiltins } from './build/lazy-builtins.mjs';
import { longWithoutWasm } from './build/long-without-wasm.mjs';
import { withoutDefaultMetrics } from './build/without-default-metrics.mjs';
import { commandEntries, libraryEntries, programEntries } from './build/entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = new URL('../dist/', import.meta.url);
rmSync(dist, { recursive: true, force: true });

/**
 * One file in CommonJS: V8 keeps the compiled code of a script but, in Node 20, of no ES module; and Jest loads no ES modules. An
 * entry runs when it is asked for, and what is imported within a function when that is called.
 */
const { metafile } = await build({
  stdin: {
    contents: Object.entries({ ...libraryEntries, ...commandEntries, ...programEntries })
      .map(([name, path]) => `exports[${JSON.stringify(name)}] = () => require('./${path}');`)
      .join('\n'),
    resolveDir: root,
  },
  outfile: 'dist/lib/all.cjs',
  absWorkingDir: root,
  bundle: true,
  // Smaller files load faster. Identifiers stay, as they are what stack traces show.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  charset: 'ascii',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Packages that have both: their ES modules, which can be bundled without wrapping.
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  // A native module finds its binary beside itself, so it cannot be moved into the bundle; pg-native is not used.
  external: ['@photostructure/sqlite', 'node:sqlite', 'pg-native'],
  // A script with kept code cannot import.
  supported: { 'dynamic-import': false },
  // What the sources ask of `import.meta` is where they are.
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  // node-postgres requires its parts, which have ES modules that only repeat them: those would be wrapped wrongly.
  alias: Object.fromEntries(
    Object.entries({
      pg: 'pg/lib/index.js',
      'pg-pool': 'pg-pool/index.js',
      'pg-protocol': 'pg-protocol/dist/index.js',
      'pg-connection-string': 'pg-connection-string/index.js',
    }).map(([name, path]) => [name, `${root}node_modules/${path}`]),
  ),
  plugins: [withoutDefaultMetrics, lazyBuiltins, longWithoutWasm],
  metafile: true,
  logLevel: 'warning',
});

for (const folder of ['bin', 'codec', 'playground']) mkdirSync(new URL(folder, dist));
writeLoader();
writeEntries();

// What imports what, and how: what the library loads at once can be told from it.
writeFileSync(new URL('metafile.json', dist), JSON.stringify(metafile));
const pages = await buildConsole();
writeNotices({ inputs: { ...metafile.inputs, ...pages.inputs } });
if (process.argv.includes('--types')) await writeTypes();

/**
 * The bundle becomes ASCII, which the loader relies on: esbuild leaves what it finds in the literals of regular expressions, where an
 * escape means the same. The digest is made here, since making it takes as long as reading the file.
 */
function writeLoader() {
  const file = new URL('lib/all.cjs', dist);
  const source = readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped);
  writeFileSync(file, source);
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const loader = readFileSync(new URL('build/load.cjs', import.meta.url), 'utf8');
  writeFileSync(new URL('lib/load.cjs', dist), loader.replace('DIGEST', digest));
}

/** A UTF-16 code unit as an escape. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function writeEntries() {
  const bundle = createRequire(import.meta.url)('../dist/lib/all.cjs');
  const load = (from) => `import load from '${from}load.cjs';\n`;
  const write = (path, text) => writeFileSync(new URL(path, dist), text);
  for (const name of Object.keys(libraryEntries)) {
    const names = Object.keys(bundle[name]()).join(', ');
    write(`lib/${name}.js`, `${load('./')}export const { ${names} } = load('${name}');\n`);
    write(`lib/${name}.cjs`, `module.exports = require('./load.cjs')('${name}');\n`);
  }
  for (const name of Object.keys(commandEntries))
    write(`bin/${name}.js`, `${load('../lib/')}export const { main } = load('${name}');\n`);
  for (const path of Object.keys(programEntries)) write(`${path}.js`, `${load('../lib/')}load('${path}');\n`);
}
