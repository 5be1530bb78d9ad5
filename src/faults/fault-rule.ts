import type { Verb } from '../http/index.ts';
import type { ConflictFault } from './kinds/conflict.ts';
import type { DropFault } from './kinds/drop.ts';
import type { ErrorFault } from './kinds/error.ts';
import type { ExpiredFault } from './kinds/expired.ts';
import type { LatencyFault } from './kinds/latency.ts';
import type { StallFault } from './kinds/stall.ts';
import type { TooManyRequestsFault } from './kinds/too-many-requests.ts';
import type { WebhookFault } from './kinds/webhook.ts';

/** Which requests a rule is about: all conditions that are given must hold, each with any of its values. */
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
  /** Parts of the User-Agent header. */
  readonly userAgents?: readonly string[];
  /**
   * Paths, which may end in `*`. Without them a rule is about requests for resources only: probes and discovery go on.
   */
  readonly paths?: readonly string[];
}

/** Which of the matching requests a rule applies to. */
interface FaultRhythm {
  readonly match?: FaultMatch;
  /** Applies so many times, then no more. */
  readonly count?: number;
  /** Lets so many requests pass first. */
  readonly skip?: number;
  /** Applies to each request with this probability, from 0 to 1. */
  readonly probability?: number;
  /** Seed of the random choice: the same seed chooses the same requests. A rule without one gets one. */
  readonly seed?: number;
}

/** A rule, as data: what goes wrong, with which requests, how often. */
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
