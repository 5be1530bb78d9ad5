import { setMaxListeners } from 'node:events';
import { runCertificateSigning } from './certificate-signing.ts';
import { runClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { ControllerParts } from './controller-parts.ts';
import { CrdFeeds } from './crd-feed.ts';
import { runCrdConditions } from './crd-conditions.ts';
import { runCrdFinalizer } from './crd-finalizer.ts';
import { runCrdNames } from './crd-names.ts';
import { runDisruption } from './disruption/disruption.ts';
import { runGarbageCollector } from './garbage-collector/garbage-collector.ts';
import { runNamespaceLifecycle } from './namespace-lifecycle.ts';
import { runResourceQuota } from './resource-quota.ts';
import type { IdleState, RunningController } from './idle-state.ts';
import { runSimulation } from './simulate/simulation.ts';
import { runServiceAccounts } from './service-accounts.ts';
import { runValidatingPolicyStatus } from './validating-policy-status.ts';
import { sleep } from './sleep.ts';

export interface ControllersOptions extends Omit<ControllerParts, 'signal' | 'crds'> {
  /** Controllers that stay off, by name; see {@link controllerNames}. */
  readonly disabled?: readonly string[];
  /** In a fork of a server: where its controllers rested, by name. They sleep until something concerns them. */
  readonly rests?: ReadonlyMap<string, IdleState>;
}

/** Controllers that run. */
export interface Controllers {
  /** The idle controllers, for a fork of the server. */
  rests(): ReadonlyMap<string, IdleState>;
  /** Ends them, after what they are doing right now. */
  close(): Promise<void>;
}

type Run = (parts: ControllerParts) => RunningController;

/** Every controller in the order in which it starts. A new one is a file and a line here. */
const controllers: readonly (readonly [name: string, run: Run])[] = [
  ['crd-names', runCrdNames],
  ['crd-conditions', runCrdConditions],
  ['crd-finalizer', runCrdFinalizer],
  ['clusterrole-aggregation', runClusterRoleAggregation],
  ['namespace', runNamespaceLifecycle],
  ['serviceaccount', runServiceAccounts],
  ['garbage-collector', runGarbageCollector],
  ['resourcequota', runResourceQuota],
  ['validatingadmissionpolicy-status', runValidatingPolicyStatus],
  ['disruption', runDisruption],
  ['csrsigning', runCertificateSigning],
  ['simulate', runSimulation],
];

/** Controllers that run only if they are enabled by name. */
export const optionalControllers: readonly string[] = Object.freeze(['csrsigning', 'disruption', 'simulate']);

/** What can be switched off. */
export const controllerNames: readonly string[] = controllers.map(([name]) => name);

/**
 * Starts every controller that is not switched off.
 *
 * @throws {RangeError} for a name that no controller has
 */
export function startControllers({ disabled = [], rests, ...options }: ControllersOptions): Controllers {
  checkControllerNames(disabled);
  const abort = new AbortController();
  // Each controller listens, and each of its requests.
  setMaxListeners(0, abort.signal);
  const enabled = controllers.filter(([name]) => !disabled.includes(name));
  const { signal } = abort;
  const crds = new CrdFeeds({ ...options, signal });
  const running = startAll(enabled, rests ?? new Map(), { ...options, crds, signal });
  return {
    rests: () => restsOf(running),
    async close() {
      abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** @throws {RangeError} for a name that no controller has */
export function checkControllerNames(names: readonly string[]): void {
  for (const name of names) {
    if (controllerNames.includes(name)) continue;
    throw new RangeError(`there is no controller ${name}: they are ${controllerNames.join(', ')}`);
  }
}

type Named = (typeof controllers)[number];

function startAll(
  enabled: readonly Named[],
  rests: ReadonlyMap<string, IdleState>,
  parts: ControllerParts,
): ReadonlyMap<string, RunningController> {
  const sleepers = enabled.flatMap(([name, run]) => {
    const rest = rests.get(name);
    return rest === undefined ? [] : [{ name, rest, run }];
  });
  const asleep = sleep(sleepers, parts);
  const running = new Map(sleepers.map(({ name }, index) => [name, asleep[index]]));
  return new Map(enabled.map(([name, run]) => [name, running.get(name) ?? run(parts)]));
}

function restsOf(running: ReadonlyMap<string, RunningController>): ReadonlyMap<string, IdleState> {
  const rests = new Map<string, IdleState>();
  for (const [name, controller] of running) {
    const rest = controller.idleState();
    if (rest !== undefined) rests.set(name, rest);
  }
  return rests;
}
