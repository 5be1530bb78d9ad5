import { type KubeObject, nameOf, namespaceOf, ownString } from '../meta/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import type { CheckResult } from './check-result.ts';
import { CrdInstaller, isCrd } from './crd-installer.ts';
import { ObjectCheck } from './object-check.ts';
import type { OfflineServer } from './offline-server.ts';

/** How objects are checked; see `ValidateOptions`. */
interface PrepareOptions {
  readonly strict: boolean;
  readonly ignoreMissingSchemas: boolean;
  readonly skip: ReadonlySet<string>;
}

/** The state of the server before the checks. */
interface PreparedState {
  readonly crds: readonly LoadedObject[];
  /** Written before the policies. */
  readonly old: readonly LoadedObject[];
  /** Policies, bindings, parameters, namespaces. */
  readonly policies: readonly LoadedObject[];
  /** The objects to be checked: their namespaces are created. */
  readonly inputs: readonly LoadedObject[];
  /** Called with old objects and policies that the server refuses. */
  readonly report: (trouble: CheckResult) => void;
}

/** Brings the server to the state in which the inputs are checked. */
export async function prepareServer(
  server: OfflineServer,
  options: PrepareOptions,
  state: PreparedState,
): Promise<{ installer: CrdInstaller; check: ObjectCheck }> {
  const installer = new CrdInstaller(server, { old: state.old, strict: options.strict });
  await installer.install(state.crds);
  const check = new ObjectCheck(server, { ...options, kinds: await server.kinds() });
  for (const one of state.old) {
    const trouble = isCrd(one) ? undefined : await check.seed(one);
    if (trouble !== undefined) state.report(trouble);
  }
  // After the old state, which policies do not apply to.
  for (const one of policySeeds(state.policies, state.inputs)) {
    const trouble = await check.seed(one);
    if (trouble !== undefined) state.report(trouble);
  }
  await installer.replace();
  return { installer, check };
}

/**
 * The objects that policies read, then the policies: the namespaces of the inputs, as given or with only a name,
 * parameters, policies, bindings.
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
