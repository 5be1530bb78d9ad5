import { existsSync, watch } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { loadCrds, type LoadedObject, LoadError } from '../../manifests/index.ts';
import { filenameOption, sourcesHelp } from '../flags/source-flags.ts';
import { type CrdModule, CrdNameError, crdModules } from '../types/crd-module.ts';

interface TypesFlags {
  readonly outDir?: string;
  readonly crdVersion?: string;
  readonly standalone: boolean;
  readonly watch: boolean;
  readonly filename: readonly string[];
}

/** `ilk types`: generates TypeScript types for the objects of a CRD. */
export function typesCommand(): Command {
  return new Command('types')
    .description('print TypeScript types of CRDs')
    .argument('[paths...]', `CRDs: ${sourcesHelp}`)
    .addOption(filenameOption())
    .option('-d, --out-dir <dir>', 'write a file for each served version: <plural>.<group>_<version>.ts')
    .option('--crd-version <version>', 'print this version instead of the storage version')
    .option(
      '--standalone',
      'declare the types of metadata, instead of those of @kubernetes/client-node',
      false,
    )
    .option('-w, --watch', 'write again when a path changes; requires --out-dir', false)
    .action(run);
}

async function run(given: readonly string[], flags: TypesFlags): Promise<void> {
  const paths = [...given, ...flags.filename];
  if (paths.length === 0) throw new LoadError('say which CRDs: ilk types crds/');
  if (flags.outDir === undefined) {
    if (flags.watch) throw new LoadError('--watch needs --out-dir');
    process.stdout.write(print(await modulesOf(paths, flags), flags.crdVersion));
    return;
  }
  await writeAll(paths, flags, flags.outDir);
  if (flags.watch) await writeAgain(paths, flags, flags.outDir);
}

async function modulesOf(paths: readonly string[], options: TypesFlags): Promise<CrdModule[]> {
  const crds = [];
  for (const path of paths) crds.push(...(await loadCrds(path)));
  return crds.flatMap((crd) => modulesOfOne(crd, options));
}

function modulesOfOne({ file, line, object }: LoadedObject, options: TypesFlags): CrdModule[] {
  try {
    return crdModules(object, options);
  } catch (error) {
    throw error instanceof CrdNameError ? new LoadError(`${file}:${line}: ${error.message}`) : error;
  }
}

/** One version of each CRD, because the names of several would collide. */
function print(modules: readonly CrdModule[], version: string | undefined): string {
  const wanted = modules.filter((one) => (version === undefined ? one.isStorage : one.version === version));
  const kinds = new Set(wanted.map(({ kind }) => kind));
  if (wanted.length === 0) throw new LoadError(`no CRD has the version ${version ?? 'that is stored'}`);
  if (kinds.size > 1) throw new LoadError('several kinds: write them to files of their own with --out-dir');
  return wanted.map(({ text }) => text).join('\n');
}

async function writeAll(paths: readonly string[], flags: TypesFlags, folder: string): Promise<void> {
  const modules = await modulesOf(paths, flags);
  await mkdir(folder, { recursive: true });
  for (const { plural, group, version, text } of modules) {
    await writeFile(inFolder(folder, `${plural}.${group}_${version}.ts`), text);
  }
  process.stderr.write(
    `ilk: wrote ${modules.length} ${modules.length === 1 ? 'file' : 'files'} to ${folder}\n`,
  );
}

/** Names are validated where modules are made; this also ensures that no file is written outside the folder. */
function inFolder(folder: string, name: string): string {
  const path = join(folder, name);
  if (dirname(resolve(path)) !== resolve(folder)) throw new LoadError(`${name}: not a file of ${folder}`);
  return path;
}

const gatherMs = 100;

/** Runs until a signal; a CRD that is invalid for a moment is reported. */
async function writeAgain(paths: readonly string[], flags: TypesFlags, folder: string): Promise<never> {
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    writeAll(paths, flags, folder).catch((error: unknown) => {
      process.stderr.write(`ilk: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  };
  for (const path of paths.filter((one) => existsSync(one))) {
    watch(path, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(again, gatherMs);
    });
  }
  return new Promise(() => {});
}
