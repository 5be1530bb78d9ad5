import { constants } from 'node:fs';
import { access, chmod, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The files that assets start. */
interface AssetOptions {
  /** The Node executable. */
  readonly node: string;
  /** The folder of the bundled programs. */
  readonly programs: string;
  /** The kubectl to link; undefined if there is none. */
  readonly kubectl: string | undefined;
}

const mark = 'written by `ilk envtest-assets`';

/**
 * Fills a folder for `KUBEBUILDER_ASSETS`: kube-apiserver, etcd, kubectl. Harnesses call `--help` before each start;
 * a shell script answers it, which saves a start of Node. Etcd's help names a flag that envtest passes only if it is
 * named.
 *
 * @throws {Error} if a file exists that Ilk has not written
 */
export async function writeAssets(folder: string, options: AssetOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { programs, kubectl } = options;
  await writeScript(folder, 'kube-apiserver', launcher(options.node, join(programs, 'kube-apiserver.js')));
  await writeScript(folder, 'etcd', launcher(options.node, join(programs, 'etcd.js'), '  --unsafe-no-fsync'));
  if (kubectl === undefined) await writeScript(folder, 'kubectl', noKubectl);
  else await linkKubectl(folder, kubectl);
}

function launcher(node: string, program: string, help = ''): string {
  return [
    '#!/bin/sh',
    `# Ilk in the place of a binary that test harnesses start; ${mark}.`,
    `if [ "$1" = --help ]; then echo 'Ilk in its place${help === '' ? '' : `\n${help}`}'; exit 0; fi`,
    `exec ${quoted(node)} ${quoted(program)} "$@"`,
    '',
  ].join('\n');
}

const noKubectl = [
  '#!/bin/sh',
  `# ${mark}, where no kubectl was found.`,
  "echo 'kubectl was not on the PATH when these assets were written: put one here' >&2",
  'exit 1',
  '',
].join('\n');

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function writeScript(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await clear(path);
  await writeFile(path, text);
  await chmod(path, 0o755);
}

async function linkKubectl(folder: string, kubectl: string): Promise<void> {
  const path = join(folder, 'kubectl');
  await clear(path);
  await symlink(kubectl, path);
}

/** Keeps real binaries: only files that Ilk wrote are replaced. */
async function clear(path: string): Promise<void> {
  const isOurs = await readlink(path).then(
    () => true,
    () => hasMark(path),
  );
  if (!isOurs) throw new Error(`${path} is there already, and was not ${mark}`);
  await rm(path, { force: true });
}

async function hasMark(path: string): Promise<boolean> {
  try {
    return (await readFile(path)).subarray(0, 512).includes(mark);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}

/** The first kubectl in a PATH. */
export async function findKubectl(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, 'kubectl');
    const found =
      folder !== '' &&
      (await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (found) return candidate;
  }
  return undefined;
}
