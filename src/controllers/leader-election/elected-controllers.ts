import {
  checkControllerNames,
  type Controllers,
  type ControllersOptions,
  startControllers,
} from '../controllers.ts';
import { defaultElectionTiming, type ElectionTiming, LeaderElector } from './leader-elector.ts';
import { LeaseLock } from './lease-lock.ts';

/** Where the servers of one storage find each other. */
const controllersLease = Object.freeze({ namespace: 'kube-system', name: 'ilk-controllers' });

interface ElectedControllersOptions extends ControllersOptions {
  /** Of this server: no other has the same. */
  readonly identity: string;
  readonly random: () => number;
  readonly timing?: ElectionTiming;
}

/**
 * Runs the controllers on one of the servers that share a storage: the one that has the Lease. When it goes, another
 * one takes over.
 *
 * @throws {RangeError} for a name that no controller has
 */
export function startElectedControllers(options: ElectedControllersOptions): Controllers {
  const { identity, random, timing = defaultElectionTiming, ...controllers } = options;
  const { registry, clock, onTrouble } = controllers;
  checkControllerNames(controllers.disabled ?? []);
  const elector = new LeaderElector({
    lock: new LeaseLock({ registry, ...controllersLease }),
    identity,
    clock,
    random,
    timing,
    onTrouble,
    lead: (signal) => runUntil(signal, controllers),
  });
  // Their work on other servers is not known here.
  return { rests: () => new Map(), close: () => elector.close() };
}

async function runUntil(signal: AbortSignal, options: ControllersOptions): Promise<void> {
  const running = startControllers(options);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await running.close();
}
