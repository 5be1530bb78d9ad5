// Makes a release: `node scripts/release.mjs --dry FOLDER` puts what would be published into a folder and publishes nothing;
// `node scripts/release.mjs` publishes. Exits with 1 where something is not ready.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestFields, originOf, withAbsoluteLinks } from './release/repository.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dryAt = process.argv.indexOf('--dry');
const isDry = dryAt >= 0;
const [given] = isDry ? process.argv.slice(dryAt + 1) : [];
const folder = resolve(given ?? mkdtempSync(join(tmpdir(), 'ilk-release-')));
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function run(command, args, cwd = root) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function fail(text) {
  console.error(`release: ${text}`);
  process.exit(1);
}

/** The repository that the package names, or why there is none. */
function findOrigin() {
  try {
    return { repository: originOf(root) };
  } catch ({ message }) {
    return { why: message };
  }
}

/** What is released is what is committed, under a version that the changelog tells of. */
function checkReady() {
  const changed = run('git', ['status', '--porcelain']).trim();
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const isTold = new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(changelog);
  const isTagged = run('git', ['tag', '--points-at', 'HEAD']).split('\n').includes(`v${version}`);
  const missing = [
    ...(changed === '' ? [] : ['there are changes that are not committed']),
    ...(isTold ? [] : [`CHANGELOG.md has no section ${version}`]),
    ...(isTagged ? [] : [`the commit has no tag v${version}`]),
    ...(origin.why === undefined ? [] : [origin.why]),
  ];
  for (const one of missing) console.log(`release: ${isDry ? 'not ready for a real one: ' : ''}${one}`);
  if (!isDry && missing.length > 0) fail('nothing was published');
}

/** Packs the package with what a registry's page needs: where its sources are, and links that lead there. Gives the file's name. */
function pack() {
  const packed = (args, cwd) =>
    run('npm', ['pack', '--silent', ...args], cwd)
      .trim()
      .split('\n')
      .at(-1);
  const { repository } = origin;
  if (repository === undefined) return packed(['--pack-destination', folder]);
  const stage = mkdtempSync(join(tmpdir(), 'ilk-release-'));
  try {
    run('tar', ['-xzf', join(stage, packed(['--pack-destination', stage])), '-C', stage]);
    const unpacked = join(stage, 'package');
    const manifest = join(unpacked, 'package.json');
    const readme = join(unpacked, 'README.md');
    const fields = { ...JSON.parse(readFileSync(manifest, 'utf8')), ...manifestFields(repository) };
    writeFileSync(manifest, `${JSON.stringify(fields, null, 2)}\n`);
    writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, 'utf8'), repository, `v${version}`));
    return packed(['--ignore-scripts', '--pack-destination', folder], unpacked);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Names each package of the bundle with version and licence. */
function writeSbom(file) {
  const text = run('npm', [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
  ]);
  const { bomFormat, components, metadata } = JSON.parse(text);
  if (bomFormat !== 'CycloneDX' || metadata.component['bom-ref'] !== `${name}@${version}`)
    fail('npm sbom gave something else');
  const notices = readFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bundled = [...notices.matchAll(/^(\S+) (\d\S*) \(/gm)].map(([, one, its]) => `${one}@${its}`);
  const known = new Set(components.map(({ name: its, version: number }) => `${its}@${number}`));
  const unknown = bundled.filter((one) => !known.has(one));
  if (bundled.length === 0 || unknown.length > 0)
    fail(`the SBOM lacks what is bundled: ${unknown.join(', ')}`);
  // npm names the component after the folder of the checkout.
  writeFileSync(
    file,
    JSON.stringify(
      { ...JSON.parse(text), metadata: { ...metadata, component: { ...metadata.component, name } } },
      null,
      2,
    ),
  );
  return bundled.length;
}

const origin = findOrigin();
checkReady();
mkdirSync(folder, { recursive: true });
if (license !== 'Apache-2.0') fail(`the licence is ${license}`);
const tarball = pack();
const sbom = `${name}-${version}.cdx.json`;
const bundled = writeSbom(join(folder, sbom));
const sums = [tarball, sbom].map((file) => {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  return `${sha256}  ${file}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(
  `release: ${tarball}, an SBOM with the ${bundled} packages that it contains, and SHA256SUMS are in ${folder}`,
);
const publish = ['publish', join(folder, tarball), '--provenance', '--access', 'public'];
if (isDry) console.log(`release: dry, so not run: npm ${publish.join(' ')}`);
else console.log(run('npm', publish));
