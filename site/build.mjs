// npm run site: builds the site into site/dist and checks its links. npm run site:dev: serves it, and follows changes.
import { spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeApiPages } from './stage/api.mjs';
import { root } from './stage/paths.mjs';
import { clear, stage } from './stage/stage.mjs';

const site = fileURLToPath(new URL('.', import.meta.url));
const isServed = process.argv.includes('--serve');

if (!existsSync(`${site}node_modules`)) install();
clear();
await writeApiPages();
stage();
const { build, createServer } = await import('vitepress');
if (isServed) await serve();
else await buildAndCheck();

function install() {
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: site,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

async function buildAndCheck() {
  await build(site);
  const { checkSite } = await import('./check/links.mjs');
  const { pages, wrong } = checkSite(`${site}dist`);
  for (const line of wrong) console.error(line);
  console.log(`${pages} pages, ${wrong.length} dead links`);
  if (wrong.length > 0) process.exitCode = 1;
}

async function serve() {
  const server = await createServer(site);
  await server.listen();
  server.printUrls();
  const again = () => {
    try {
      stage();
    } catch (error) {
      console.error(error.message);
    }
  };
  for (const folder of ['docs', 'examples', 'deploy']) watch(root + folder, { recursive: true }, again);
}
