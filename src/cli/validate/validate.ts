import type { FeatureGates } from '../../meta/index.ts';
import {
  type LoadedObject,
  LoadError,
  loadFile,
  openSource,
  removedVersionHint,
  type SourceFile,
} from '../../manifests/index.ts';
import type { CheckResult } from './check-result.ts';
import { failed, unreadable } from './make-result.ts';
import { CrdInstaller, isCrd } from './crd-installer.ts';
import { ObjectCheck } from './object-check.ts';
import { OfflineServer } from './offline-server.ts';

export interface ValidateOptions {
  /** Sources: see `openSource`. */
  readonly paths: readonly string[];
  /** Where CRDs are that are not among the paths. */
  readonly crds: readonly string[];
  /** CRDs that were read already. */
  readonly loadedCrds?: readonly LoadedObject[];
  /** The present state: what is found there is updated instead of created. */
  readonly old: readonly string[];
  /** Unknown and repeated fields are errors, not warnings. */
  readonly strict: boolean;
  /** Objects of unknown kinds are skipped. */
  readonly ignoreMissingSchemas: boolean;
  /** Kinds to leave out: `Widget`, or `example.com/v1/Widget`. */
  readonly skip: ReadonlySet<string>;
  readonly featureGates: FeatureGates | undefined;
  /** Told after each object how many of how many are done. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Checks CRDs and objects as a server would, in the order of the files. CRDs and old objects that are given beside the
 * paths are only in the report where something is wrong with them.
 */
export async function validate(options: ValidateOptions): Promise<CheckResult[]> {
  const inputs = await readAll(options.paths);
  const known = [...(options.loadedCrds ?? []), ...(await readAll(options.crds))];
  const old = await readAll(options.old);
  const beside = [...known, ...old].filter((one) => 'verdict' in one);
  const checked: CheckResult[] = [...beside];
  await using server = await OfflineServer.start(options.featureGates);
  const { installer, check } = await prepare(server, options, {
    crds: [...known, ...inputs].filter(isLoaded).filter(isCrd),
    old: old.filter(isLoaded),
    report: (trouble) => checked.push(trouble),
  });
  for (const crd of known.filter(isLoaded)) {
    const verdict = installer.verdict(crd);
    if (verdict !== undefined && verdict.verdict !== 'valid') checked.push(verdict);
  }
  let done = 0;
  for (const one of inputs) {
    checked.push('verdict' in one ? one : (installer.verdict(one) ?? (await check.check(one))));
    options.onProgress((done += 1), inputs.length);
  }
  return checked;
}

/** Brings the server to the state that the inputs meet. */
async function prepare(
  server: OfflineServer,
  options: ValidateOptions,
  state: {
    readonly crds: readonly LoadedObject[];
    readonly old: readonly LoadedObject[];
    readonly report: (trouble: CheckResult) => void;
  },
): Promise<{ installer: CrdInstaller; check: ObjectCheck }> {
  const installer = new CrdInstaller(server, { old: state.old, strict: options.strict });
  await installer.install(state.crds);
  const check = new ObjectCheck(server, { ...options, kinds: await server.kinds() });
  for (const one of state.old) {
    const trouble = isCrd(one) ? undefined : await check.seed(one);
    if (trouble !== undefined) state.report(trouble);
  }
  await installer.replace();
  return { installer, check };
}

function isLoaded(one: LoadedObject | CheckResult): one is LoadedObject {
  return !('verdict' in one);
}

async function readAll(paths: readonly string[]): Promise<(LoadedObject | CheckResult)[]> {
  const all: (LoadedObject | CheckResult)[] = [];
  for (const path of paths) for (const file of await openSource(path)) all.push(...(await read(file)));
  return all;
}

async function read(source: SourceFile): Promise<(LoadedObject | CheckResult)[]> {
  const { file } = source;
  try {
    return (await loadFile(source)).map((one) => {
      const hint = removedVersionHint(one.object);
      return hint === undefined ? one : failed(one, 'error', hint);
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return [unreadable(file, error.message.replace(`${file}: `, ''))];
  }
}
