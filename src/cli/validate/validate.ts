import type { FeatureGates, UserInfo } from '../../meta/index.ts';
import {
  type LoadedObject,
  LoadError,
  loadFile,
  ofFlag,
  openSource,
  removedVersionHint,
  type SourceFile,
} from '../../manifests/index.ts';
import {
  type CheckResult,
  failed,
  isCrd,
  OfflineServer,
  prepareServer,
  unreadable,
} from '../../offline/index.ts';

export interface ValidateOptions {
  /** Sources: see `openSource`. */
  readonly paths: readonly string[];
  /** The sources of CRDs besides the paths. */
  readonly crds: readonly string[];
  /** CRDs that are already read. */
  readonly loadedCrds?: readonly LoadedObject[];
  /** The current state: objects in it are updated instead of created. */
  readonly old: readonly string[];
  /** Policies, their bindings, their parameters, and other objects that they read. */
  readonly policies?: readonly string[];
  /** The user that policies see; an administrator if absent. */
  readonly user?: UserInfo | undefined;
  /** Unknown and duplicate fields are errors instead of warnings. */
  readonly strict: boolean;
  /** Objects of unknown kinds are skipped. */
  readonly ignoreMissingSchemas: boolean;
  /** Kinds to skip: `Widget`, or `example.com/v1/Widget`. */
  readonly skip: ReadonlySet<string>;
  readonly featureGates: FeatureGates | undefined;
  /** Called after each object with the number of checked objects and the total. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Checks CRDs and objects as a server would, in file order. CRDs and old objects outside of the paths are reported
 * only if they have errors.
 */
export async function validate(options: ValidateOptions): Promise<CheckResult[]> {
  const inputs = await readAll(options.paths);
  const known = [...(options.loadedCrds ?? []), ...(await readAll(options.crds, '--crds'))];
  const old = await readAll(options.old, '--old');
  const policies = await readAll(options.policies ?? [], '--policies');
  const beside = [...known, ...old, ...policies].filter((one) => 'verdict' in one);
  const checked: CheckResult[] = [...beside];
  await using server = await OfflineServer.start({
    featureGates: options.featureGates,
    user: options.user,
  });
  const { installer, check } = await prepareServer(server, options, {
    crds: [...known, ...policies, ...inputs].filter(isLoaded).filter(isCrd),
    old: old.filter(isLoaded),
    policies: policies.filter(isLoaded).filter((one) => !isCrd(one)),
    inputs: inputs.filter(isLoaded),
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

function isLoaded(one: LoadedObject | CheckResult): one is LoadedObject {
  return !('verdict' in one);
}

/** @param flag the flag of the paths */
async function readAll(paths: readonly string[], flag?: string): Promise<(LoadedObject | CheckResult)[]> {
  const all: (LoadedObject | CheckResult)[] = [];
  for (const path of paths) {
    const opening = openSource(path);
    const files = await (flag === undefined ? opening : ofFlag(flag, path, opening));
    for (const file of files) all.push(...(await read(file)));
  }
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
