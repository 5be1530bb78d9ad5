import type { AdmissionChain } from '../../admission/index.ts';
import type { YamlThread } from '../../codec/index.ts';
import { atOnce, type Clock, limits, type RunSteps, type Slices, type Steps } from '../../meta/index.ts';
import type { Store } from '../../storage/index.ts';
import type { GrantCheck } from './grant-check.ts';
import type { GateCounts } from './gate-counts.ts';
import type { StorageClaims } from '../resource/storage-claims.ts';

/** The dependencies of the verbs, passed in once, so that tests control time and randomness. */
export interface RegistryParts {
  readonly store: Store;
  /** True for a key whose value must be written again even if unchanged; absent if that never applies. */
  readonly isStale?: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  /** Random bytes, for names and uids. */
  readonly random: (bytes: number) => Uint8Array;
  readonly admission: AdmissionChain;
  /** Counts the effects of field gates on writes, for metrics. */
  readonly gateCounts: GateCounts;
  /** How long work yields to other requests; if absent, nothing pauses. */
  readonly slices?: Slices;
  /** Parses long YAML documents; if absent, they are parsed in one piece. */
  readonly yaml?: YamlThread;
  /** Absent if the storage is not shared. */
  readonly claims?: StorageClaims;
  /** Absent if users may grant everything. */
  readonly grants?: GrantCheck;
}

/** A promise for the next slice if a write of this size should pause before its next step. Small writes never pause. */
export function pauseOf({ slices }: RegistryParts, bytes: number): Promise<void> | undefined {
  return bytes < limits.pauseFromBytes ? undefined : slices?.pause();
}

/** Runs the steps of a write of this size: at once if it is small, otherwise in time slices. */
export function inSlices<Result>(
  { slices }: Pick<RegistryParts, 'slices'>,
  bytes: number,
  steps: Steps<Result>,
): Result | Promise<Result> {
  return bytes < limits.pauseFromBytes || slices === undefined ? atOnce(steps) : slices.run(steps);
}

/** Like {@link inSlices}, as a parameter; undefined if no steps are needed. */
export function runnerOf({ slices }: RegistryParts, bytes: number): RunSteps | undefined {
  return bytes < limits.pauseFromBytes || slices === undefined ? undefined : (steps) => slices.run(steps);
}
