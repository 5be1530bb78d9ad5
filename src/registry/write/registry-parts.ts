import type { AdmissionChain } from '../../admission/index.ts';
import { type Clock, limits, type Slices } from '../../meta/index.ts';
import type { Store } from '../../storage/index.ts';
import type { GrantCheck } from './grant-check.ts';
import type { GateCounts } from './gate-counts.ts';

/** What the verbs work with; passed in once, so that tests hold time and chance in their hands. */
export interface RegistryParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Random bytes: names and uids are made of them. */
  readonly random: (bytes: number) => Uint8Array;
  readonly admission: AdmissionChain;
  /** What the gates on fields do to writes, for metrics. */
  readonly gateCounts: GateCounts;
  /** How long work gives way to other requests; without them, nothing pauses. */
  readonly slices?: Slices;
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
