// Builds dist/console/: the pages of the web console, bundled, with a digest of its content in each name.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'console', 'src');
const outdir = join(root, 'dist', 'console');

/** @returns what was bundled, for the notices of licences */
export async function buildConsole() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { app: join(sources, 'main.tsx'), icon: join(sources, 'icon.svg') },
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome116', 'firefox124', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writePage(metafile.outputs);
  return metafile;
}

/** The one page; what it loads first is named in it, so that nothing waits for a script to ask for the next one. */
function writePage(outputs) {
  const named = Object.entries(outputs).map(([path, output]) => ({ path, name: basename(path), output }));
  const script = named.find(({ output }) => output.entryPoint?.endsWith('main.tsx'));
  const icon = named.find(({ output }) => output.entryPoint?.endsWith('icon.svg'));
  const preloads = script.output.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="/console/assets/${basename(path)}">`);
  const page = readFileSync(join(sources, 'index.html'), 'utf8')
    .replace('%script%', `/console/assets/${script.name}`)
    .replace('%style%', `/console/assets/${basename(script.output.cssBundle)}`)
    .replace('%icon%', `/console/assets/${icon.name}`)
    .replace('%preloads%', preloads.join('\n    '));
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'index.html'), page);
}
