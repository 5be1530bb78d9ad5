import type { AdmissionChain } from '../../admission/index.ts';
import type { Clock } from '../../meta/index.ts';
import type { Store } from '../../storage/index.ts';
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
}
