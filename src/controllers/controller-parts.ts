import type { PolicyTypeChecker } from '../admission/index.ts';
import type { Clock, Timers } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';
import type { CrdFeeds } from './crd-feed.ts';

/** What a controller is made of. */
export interface ControllerParts {
  readonly registry: Registry;
  /** The stored CRDs. */
  readonly crds: CrdFeeds;
  readonly clock: Clock;
  /** The timers of the clock. */
  readonly timers: Timers;
  /** Checks the types of policies. */
  readonly policyTypes: PolicyTypeChecker;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Called for errors that are retried. */
  readonly onTrouble: (error: unknown) => void;
  /** Where other servers share the storage: how long a write of theirs may take that was accepted before a change. */
  readonly settleMs?: number;
}
