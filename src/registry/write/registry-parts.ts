import type { AdmissionChain } from '../../admission/index.ts';
import { atOnce, type Clock, limits, type RunSteps, type Slices, type Steps } from '../../meta/index.ts';
import type { Store } from '../../storage/index.ts';
import type { GrantCheck } from './grant-check.ts';
import type { GateCounts } from './gate-counts.ts';
import type { StorageClaims } from '../resource/storage-claims.ts';

/** What the verbs work with; passed in once, so that tests hold time and chance in their hands. */
export interface RegistryParts {
  readonly store: Store;
  /** True for a key whose value is to be written again though nothing changed; left out where that is never so. */
  readonly isStale?: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  /** Random bytes: names and uids are made of them. */
  readonly random: (bytes: number) => Uint8Array;
  readonly admission: AdmissionChain;
  /** What the gates on fields do to writes, for metrics. */
  readonly gateCounts: GateCounts;
  /** How long work gives way to other requests; without them, nothing pauses. */
  readonly slices?: Slices;
  /** Left out where the storage is this server's alone. */
  readonly claims?: StorageClaims;
  /** Left out where everybody may give everything away. */
  readonly grants?: GrantCheck;
}

/**
 * A promise for the next slice where the write of so many bytes should wait for it before its next step. A small write
 * never waits.
 */
export function pauseOf({ slices }: RegistryParts, bytes: number): Promise<void> | undefined {
  return bytes < limits.pauseFromBytes ? undefined : slices?.pause();
}

/** Does the steps of a write of so many bytes: at once where they are few, else in slices of time. */
export function inSlices<Result>(
  { slices }: Pick<RegistryParts, 'slices'>,
  bytes: number,
  steps: Steps<Result>,
): Result | Promise<Result> {
  return bytes < limits.pauseFromBytes || slices === undefined ? atOnce(steps) : slices.run(steps);
}

/** As {@link inSlices}, to be handed on; undefined where nothing need be done in steps. */
export function runnerOf({ slices }: RegistryParts, bytes: number): RunSteps | undefined {
  return bytes < limits.pauseFromBytes || slices === undefined ? undefined : (steps) => slices.run(steps);
}
