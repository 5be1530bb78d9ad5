import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type Controllers,
  type ControllersOptions,
  defaultElectionTiming,
  startControllers,
  startElectedControllers,
} from '../controllers/index.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';

/** The maximum duration of another server's write that was accepted before a change it had to see. */
const settleMs = 2_000;

/** Runs all controllers, on a storage of its own at once, otherwise when the server is elected leader. */
export function runControllers(
  { shared }: OpenStorage,
  options: ServerOptions,
  parts: Omit<ControllersOptions, 'disabled'>,
): Controllers {
  const disabled = disabledControllers(options);
  const controllers = { ...parts, disabled };
  if (!shared) return startControllers(controllers);
  return startElectedControllers({
    ...controllers,
    settleMs,
    identity: `${hostname()}_${randomUUID()}`,
    random: Math.random,
    timing: { ...defaultElectionTiming, ...options.leaderElection },
  });
}

/** The names of the controllers that stay off. */
export function disabledControllers({
  disableControllers = [],
  serviceAccounts = {},
  simulate = false,
  signCertificates = false,
  disruptionBudgets = false,
}: ServerOptions): readonly string[] {
  const accounts = serviceAccounts.defaultAccounts === true ? [] : ['serviceaccount'];
  const simulation = simulate ? [] : ['simulate'];
  const signing = signCertificates ? [] : ['csrsigning'];
  const budgets = disruptionBudgets ? [] : ['disruption'];
  return [...disableControllers, ...accounts, ...signing, ...budgets, ...simulation];
}
