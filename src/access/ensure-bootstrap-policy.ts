import { rulesOf, type PolicyRule, uncoveredRules } from '../auth/index.ts';
import {
  clone,
  equal,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  StatusError,
  type UserInfo,
} from '../meta/index.ts';
import { objectTargetOf, type Registry, type Target, targetOf, Warnings } from '../registry/index.ts';
import { rbacGroup } from './access-resources.ts';
import {
  type BootstrapBinding,
  type BootstrapRole,
  bootstrapBindings,
  bootstrapRoles,
} from './bootstrap-policy.ts';

const user: UserInfo = Object.freeze({ name: 'system:apiserver', groups: ['system:masters'] });
const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const annotations = { [autoUpdate]: 'true' };
const attemptsMax = 3;

/**
 * Creates the default roles and bindings, and restores rules and subjects that were removed. Objects with the
 * annotation `rbac.authorization.kubernetes.io/autoupdate: "false"` do not change. Source: kubernetes,
 * pkg/registry/rbac/rest/storage_rbac.go; component-helpers, auth/rbac/reconciliation.
 */
export async function ensureBootstrapPolicy(registry: Registry, signal: AbortSignal): Promise<void> {
  await reconcileAll(registry, 'clusterroles', bootstrapRoles.map(roleObject), {
    signal,
    change: reconcileRole,
  });
  const bindings = bootstrapBindings.map(bindingObject);
  await reconcileAll(registry, 'clusterrolebindings', bindings, { signal, change: reconcileBinding });
}

/** The reconciled object; the same object if nothing changes. */
type Reconcile = (existing: KubeObject, expected: KubeObject) => KubeObject;

async function reconcileAll(
  registry: Registry,
  resource: string,
  expected: readonly KubeObject[],
  { signal, change }: { readonly signal: AbortSignal; readonly change: Reconcile },
): Promise<void> {
  const served = await registry.find(rbacGroup, 'v1', resource);
  if (served === undefined) return;
  const target = targetOf(served, '');
  const context = { user, fieldManager: 'ilk', signal, warnings: new Warnings() };
  const present = await registry.storedValues(target, context);
  // At the same time, so that they share commits: a server with an empty storage creates a hundred objects.
  const written = expected.map(async (object) => {
    const stored = present.get(nameOf(object));
    // Mostly there is nothing to change. This is how to know without a normalized object, whose making is most of the work.
    if (stored !== undefined && change(stored, object) === stored) return;
    const known = stored && (await registry.readStored(target, nameOf(object)));
    await reconcile(registry, { target, object, context, change }, known);
  });
  await Promise.all(written);
}

interface Reconciliation {
  readonly target: Target;
  readonly object: KubeObject;
  readonly context: Parameters<Registry['storedValues']>[1];
  readonly change: Reconcile;
}

/** Another server may do the same concurrently: then its result is checked. */
async function reconcile(
  registry: Registry,
  task: Reconciliation,
  known: KubeObject | undefined,
): Promise<void> {
  const { target, object, context, change } = task;
  let existing = known;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existing === undefined) {
        await registry.create({ target, body: { value: object }, options, context });
        return;
      }
      const wanted = change(existing, object);
      if (wanted === existing) return;
      const one = objectTargetOf(target, nameOf(object), '');
      await registry.update({ target: one, body: { value: wanted }, options, context });
      return;
    } catch (error) {
      if (!isRace(error) || attempt === attemptsMax) throw error;
      existing = await registry.readStored(target, nameOf(object));
    }
  }
}

function isRace(error: unknown): boolean {
  return error instanceof StatusError && ['AlreadyExists', 'Conflict', 'NotFound'].includes(error.reason);
}

function reconcileRole(existing: KubeObject, expected: KubeObject): KubeObject {
  if (isProtected(existing)) return existing;
  const wanted = withMetadata(existing, expected);
  const missing = uncoveredRules(rulesOf(existing), rulesOf(expected));
  if (missing.length > 0 && own(expected, 'aggregationRule') === undefined) {
    wanted['rules'] = [...(ownList(existing, 'rules') ?? []), ...missing.map(ruleObject)];
  }
  reconcileAggregation(wanted, expected);
  return equal(wanted, existing) ? existing : wanted;
}

function reconcileAggregation(role: KubeObject, expected: KubeObject): void {
  const rule = ownObject(expected, 'aggregationRule');
  if (rule === undefined) {
    delete role['aggregationRule'];
    return;
  }
  const present = ownList(ownObject(role, 'aggregationRule') ?? {}, 'clusterRoleSelectors') ?? [];
  const wanted = ownList(rule, 'clusterRoleSelectors') ?? [];
  const missing = wanted.filter((selector) => !present.some((one) => equal(one, selector)));
  if (missing.length > 0) role['aggregationRule'] = { clusterRoleSelectors: [...present, ...missing] };
}

function reconcileBinding(existing: KubeObject, expected: KubeObject): KubeObject {
  if (isProtected(existing)) return existing;
  const wanted = withMetadata(existing, expected);
  const present = ownList(existing, 'subjects') ?? [];
  const missing = (ownList(expected, 'subjects') ?? []).filter(
    (subject) => !present.some((one) => equal(one, subject)),
  );
  if (missing.length > 0) wanted['subjects'] = [...present, ...missing];
  return equal(wanted, existing) ? existing : wanted;
}

function isProtected(existing: KubeObject): boolean {
  const metadata = ownObject(existing, 'metadata') ?? {};
  return ownString(ownObject(metadata, 'annotations') ?? {}, autoUpdate) === 'false';
}

/** Existing labels and annotations take precedence. */
function withMetadata(existing: KubeObject, expected: KubeObject): KubeObject {
  const wanted = clone(existing);
  const [metadata, given] = [ownObject(wanted, 'metadata') ?? {}, ownObject(expected, 'metadata') ?? {}];
  for (const field of ['labels', 'annotations']) {
    metadata[field] = { ...ownObject(given, field), ...ownObject(metadata, field) };
  }
  return wanted;
}

function roleObject(role: BootstrapRole): KubeObject {
  const { name, aggregates } = role;
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels: { ...labels, ...role.labels }, annotations: { ...annotations } },
    ...(aggregates === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregates]: 'true' } }] } }),
    rules: rulesOfRole(role).map(ruleObject),
  };
}

/**
 * The rules of an aggregated role are those that its controller will compute, so that the role is complete from the
 * start.
 */
function rulesOfRole({ rules, aggregates, name }: BootstrapRole): readonly PolicyRule[] {
  if (aggregates === undefined) return rules ?? [];
  return bootstrapRoles
    .filter((role) => role.name !== name && role.labels?.[aggregates] === 'true')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(rulesOfRole);
}

function ruleObject(rule: PolicyRule): JsonObject {
  const fields = ['apiGroups', 'nonResourceURLs', 'resourceNames', 'resources', 'verbs'] as const;
  const given = fields.filter((field) => rule[field].length > 0);
  return Object.fromEntries(given.map((field): [string, JsonValue] => [field, [...rule[field]]]));
}

function bindingObject({ name, groups }: BootstrapBinding): KubeObject {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: { ...labels }, annotations: { ...annotations } },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup: rbacGroup, kind: 'Group', name: group })),
  };
}
