import type { Verb } from '../http/index.ts';
import type { ConflictFault } from './kinds/conflict.ts';
import type { DropFault } from './kinds/drop.ts';
import type { ErrorFault } from './kinds/error.ts';
import type { ExpiredFault } from './kinds/expired.ts';
import type { LatencyFault } from './kinds/latency.ts';
import type { StallFault } from './kinds/stall.ts';
import type { TooManyRequestsFault } from './kinds/too-many-requests.ts';
import type { WebhookFault } from './kinds/webhook.ts';

/** Which requests a rule matches: all given conditions must hold, each with any of its values. */
export interface FaultMatch {
  readonly verbs?: readonly Verb[];
  /** API groups; the core group is empty. */
  readonly groups?: readonly string[];
  /** As in the rules of a Role: `gardens`, `gardens/status`, `gardens/*`, `*`. A subresource must be named. */
  readonly resources?: readonly string[];
  /** Namespaces; empty for cluster-scoped objects and for lists of all namespaces. */
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  readonly users?: readonly string[];
  /** Substrings of the User-Agent header. */
  readonly userAgents?: readonly string[];
  /**
   * Paths, which may end in `*`. Without paths, a rule matches only requests for resources, not probes and discovery.
   */
  readonly paths?: readonly string[];
}

/** Which of the matching requests a rule applies to. */
interface FaultRhythm {
  readonly match?: FaultMatch;
  /** Applies this many times. */
  readonly count?: number;
  /** Skips this many requests first. */
  readonly skip?: number;
  /** Applies to each request with this probability, from 0 to 1. */
  readonly probability?: number;
  /** The seed of the random choice: the same seed chooses the same requests. Generated if absent. */
  readonly seed?: number;
}

/** A rule, as data: the fault, the requests, and how often. */
export type FaultRule = FaultRhythm &
  (
    | ConflictFault
    | ExpiredFault
    | DropFault
    | StallFault
    | LatencyFault
    | TooManyRequestsFault
    | ErrorFault
    | WebhookFault
  );
