// The image with Node that deploy/Dockerfile starts from: the public one, or a stand-in where its registry is not reachable.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './builder.mjs';

const standIn = 'localhost/ilk-check-node';
const pullMsMax = 120_000;

/** Gives the name of an image with Node, npm and apt. */
export function nodeImage(builder, dockerfile, folder) {
  const [, name] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  if (canPull(builder, name)) return name;
  console.log(`${name} is not reachable: a stand-in is made from Debian and the registry of npm`);
  const [, version] = /:(\d+\.\d+\.\d+)-(\w+)-slim$/.exec(name) ?? [];
  makeStandIn(builder, version, folder);
  return standIn;
}

function canPull({ name: builder, call, env }, name) {
  if (builder === 'docker') {
    const { status } = spawnSync('docker', ['pull', '--quiet', name], {
      stdio: 'ignore',
      timeout: pullMsMax,
      env,
    });
    return status === 0;
  }
  try {
    call(['pull', '--quiet', name]);
    return true;
  } catch {
    return false;
  }
}

/** Debian's essential packages and apt, from the mirrors of this machine where it is a Debian, with the `node` and `npm` of npm. */
function makeStandIn({ call }, version, folder) {
  const tar = join(folder, 'base.tar');
  const { codename, sources } = debian();
  run(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=apt',
      '--dpkgopt=path-exclude=/usr/share/locale/*',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      `--customize-hook=npm install --global --silent --no-audit --no-fund --prefix "$1/usr/local" node@${version} npm@11 >/dev/null`,
      codename,
      tar,
      ...(sources === '' ? [] : ['-']),
    ],
    { input: sources },
  );
  if (statSync(tar).size === 0) throw new Error('mmdebstrap made nothing');
  call(['import', tar, standIn]);
}

function debian() {
  const codename = 'bookworm';
  const release = readFileSync('/etc/os-release', 'utf8');
  if (!/^ID=debian$/m.test(release) || !release.includes(`VERSION_CODENAME=${codename}`))
    return { codename, sources: '' };
  const lines = run('apt-get', [
    'indextargets',
    '--format',
    'deb $(REPO_URI) $(RELEASE) $(COMPONENT)',
    'Created-By: Packages',
    'Origin: Debian',
  ]);
  return { codename, sources: lines };
}
