import {
  type FeatureGates,
  type KubeObject,
  nameOf,
  namespaceOf,
  ownString,
  type UserInfo,
} from '../../meta/index.ts';
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
  /** Policies, their bindings and their parameters, and whatever else they look at. */
  readonly policies?: readonly string[];
  /** Who writes, as policies see it; an administrator where it is left out. */
  readonly user?: UserInfo | undefined;
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
  const policies = await readAll(options.policies ?? []);
  const beside = [...known, ...old, ...policies].filter((one) => 'verdict' in one);
  const checked: CheckResult[] = [...beside];
  await using server = await OfflineServer.start(options.featureGates, options.user);
  const { installer, check } = await prepare(server, options, {
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

/** Brings the server to the state that the inputs meet. */
async function prepare(
  server: OfflineServer,
  options: ValidateOptions,
  state: {
    readonly crds: readonly LoadedObject[];
    readonly old: readonly LoadedObject[];
    readonly policies: readonly LoadedObject[];
    readonly inputs: readonly LoadedObject[];
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
  // After the old state, which nobody has to approve of.
  for (const one of policySeeds(state.policies, state.inputs)) {
    const trouble = await check.seed(one);
    if (trouble !== undefined) state.report(trouble);
  }
  await installer.replace();
  return { installer, check };
}

/**
 * What policies look at, and then they themselves: the namespaces of the inputs, as they are given or with nothing but a
 * name, parameters, policies, bindings.
 */
function policySeeds(
  policies: readonly LoadedObject[],
  inputs: readonly LoadedObject[],
): readonly LoadedObject[] {
  const [first] = policies;
  if (first === undefined) return [];
  const given = [...policies, ...inputs].filter(({ object }) => isNamespace(object));
  const named = new Set(given.map(({ object }) => nameOf(object)));
  const used = new Set([...policies, ...inputs].map(({ object }) => namespaceOf(object)));
  const bare = [...used]
    .filter((name) => name !== '' && name !== 'default' && !named.has(name))
    .map((name) => ({ ...first, object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } }));
  const others = policies.filter(({ object }) => !isNamespace(object));
  const isPolicy = ({ object }: LoadedObject) =>
    (ownString(object, 'apiVersion') ?? '').startsWith('admissionregistration.k8s.io/');
  return [...given, ...bare, ...others.filter((one) => !isPolicy(one)), ...others.filter(isPolicy)];
}

function isNamespace(object: KubeObject): boolean {
  return ownString(object, 'kind') === 'Namespace' && ownString(object, 'apiVersion') === 'v1';
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
