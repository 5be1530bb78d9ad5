import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type Controllers,
  type ControllersOptions,
  type Stage,
  defaultElectionTiming,
  startControllers,
  startElectedControllers,
} from '../controllers/index.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';
import { isFirstThread } from './threads/thread-share.ts';

/** The maximum duration of another server's or thread's write that was accepted before a change it had to see. */
const settleMs = 2_000;

/** Those of the first thread work for all of them. */
const noControllers: Controllers = Object.freeze({ rests: () => new Map(), close: async () => {} });

/** Runs all controllers, on a storage of its own at once, otherwise when the server is elected leader. */
export function runControllers(
  { shared, hasOtherWriters }: OpenStorage,
  options: ServerOptions,
  parts: Omit<ControllersOptions, 'disabled'>,
): Controllers {
  if (!isFirstThread(options)) return noControllers;
  const disabled = disabledControllers(options);
  const controllers = { ...parts, disabled, stages: stagesOf(options) };
  if (!shared) return startControllers(hasOtherWriters ? { ...controllers, settleMs } : controllers);
  return startElectedControllers({
    ...controllers,
    settleMs,
    identity: `${hostname()}_${randomUUID()}`,
    random: Math.random,
    timing: { ...defaultElectionTiming, ...options.leaderElection },
  });
}

/** Whether nodes and workloads are simulated. */
export function isSimulating({
  simulate,
}: {
  readonly simulate?: ServerOptions['simulate'] | undefined;
}): boolean {
  return simulate !== undefined && simulate !== false;
}

function stagesOf({ simulate }: ServerOptions): readonly Stage[] {
  return typeof simulate === 'object' ? simulate.stages : [];
}

/** The names of the controllers that stay off. */
export function disabledControllers({
  disableControllers = [],
  serviceAccounts = {},
  simulate,
  signCertificates = false,
  disruptionBudgets = false,
}: ServerOptions): readonly string[] {
  const accounts = serviceAccounts.defaultAccounts === true ? [] : ['serviceaccount'];
  const simulation = isSimulating({ simulate }) ? [] : ['simulate'];
  const signing = signCertificates ? [] : ['csrsigning'];
  const budgets = disruptionBudgets ? [] : ['disruption'];
  return [...disableControllers, ...accounts, ...signing, ...budgets, ...simulation];
}
