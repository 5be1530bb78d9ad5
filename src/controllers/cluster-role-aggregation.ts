import {
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  labelSelectorFromObject,
  type LabelSelector,
  metadataOf,
  nameOf,
  own,
  ownList,
  ownObject,
  SelectorError,
  stringMap,
} from '../meta/index.ts';
import { controllerContext, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const fieldManager = 'clusterrole-aggregation-controller';

/**
 * Gives each ClusterRole with an aggregationRule the rules of the roles that it selects. Every change of a role makes it
 * look at all aggregated ones, as a role may gather from roles that gather.
 * Source: kubernetes, pkg/controller/clusterroleaggregation.
 */
export function runClusterRoleAggregation(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const aggregated = new Set<string>();
  const queue = new WorkQueue({
    work: (name) => aggregate(parts, name),
    workersMax: 5,
    onTrouble,
  });
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, clusterRoles),
    signal,
    onTrouble,
    onChange: ({ type, object }) => {
      const name = nameOf(object);
      if (type !== 'DELETED' && selectorsOf(object).length > 0) aggregated.add(name);
      else aggregated.delete(name);
      for (const one of aggregated) queue.add(one);
    },
  });
  return {
    done: following.done.then(() => queue.close()),
    idleState: () => (queue.idle ? following.rest() : undefined),
  };
}

async function aggregate({ registry, signal }: ControllerParts, name: string): Promise<void> {
  const context = controllerContext(fieldManager, signal);
  const collection = await servedTarget(registry, clusterRoles);
  // Mostly the rules are there. As stored they are compared without normalizing every role, which takes most of the time.
  const stored = await registry.storedValues(collection, context);
  if (hasItsRules([...stored.values()], name)) return;
  const { objects: roles } = await registry.listStored(collection, context);
  const role = roles.find((one) => nameOf(one) === name);
  if (role === undefined) return;
  const rules = aggregatedRules(roles, role);
  if (rules === undefined) return;
  const applied: JsonObject = {
    apiVersion: `${clusterRoles.group}/${clusterRoles.version}`,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  };
  const target = objectTargetOf(collection, name);
  const options = { dryRun: false, fieldManager, fieldValidation: 'Ignore', force: true } as const;
  try {
    await registry.patch({
      target,
      type: 'apply',
      bytes: Buffer.from(JSON.stringify(applied)),
      options,
      context,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function hasItsRules(roles: readonly KubeObject[], name: string): boolean {
  const role = roles.find((one) => nameOf(one) === name);
  return role === undefined || aggregatedRules(roles, role) === undefined;
}

/** The rules that a role is to have; undefined where it has them. */
export function aggregatedRules(roles: readonly KubeObject[], role: KubeObject): JsonValue[] | undefined {
  const rules = gatheredRules(roles, role);
  return equal(rules, ownList(role, 'rules') ?? []) ? undefined : rules;
}

/** The rules of the roles of each selector, by name, without duplicates. */
function gatheredRules(roles: readonly KubeObject[], role: KubeObject): JsonValue[] {
  const gathered: JsonValue[] = [];
  for (const selector of selectorsOf(role)) {
    const selected = roles
      .filter(
        (one) => nameOf(one) !== nameOf(role) && selector.matches(stringMap(own(metadataOf(one), 'labels'))),
      )
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    for (const rule of selected.flatMap((one) => ownList(one, 'rules') ?? [])) {
      if (!gathered.some((known) => equal(known, rule))) gathered.push(rule);
    }
  }
  return gathered;
}

/** A selector that cannot be read selects nothing: such a role was stored by another server. */
function selectorsOf(role: KubeObject): LabelSelector[] {
  const listed = ownList(ownObject(role, 'aggregationRule') ?? {}, 'clusterRoleSelectors') ?? [];
  return listed.filter(isObject).flatMap((selector) => {
    try {
      return labelSelectorFromObject(selector);
    } catch (error) {
      if (error instanceof SelectorError) return [];
      throw error;
    }
  });
}
