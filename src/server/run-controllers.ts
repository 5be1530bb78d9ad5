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

/** How long a write of another server may take that was accepted before a change that it had to know. */
const settleMs = 2_000;

/** All of them, where nobody else does; else whoever of the servers is elected. */
export function runControllers(
  { shared }: OpenStorage,
  {
    leaderElection,
    disableControllers = [],
    serviceAccounts = {},
    simulate = false,
    signCertificates = false,
  }: ServerOptions,
  parts: Omit<ControllersOptions, 'disabled'>,
): Controllers {
  const accounts = serviceAccounts.defaultAccounts === true ? [] : ['serviceaccount'];
  const simulation = simulate ? [] : ['simulate'];
  const signing = signCertificates ? [] : ['csrsigning'];
  const disabled = [...disableControllers, ...accounts, ...signing, ...simulation];
  const controllers = { ...parts, disabled };
  if (!shared) return startControllers(controllers);
  return startElectedControllers({
    ...controllers,
    settleMs,
    identity: `${hostname()}_${randomUUID()}`,
    random: Math.random,
    timing: { ...defaultElectionTiming, ...leaderElection },
  });
}
