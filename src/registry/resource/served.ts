import type { Represented } from '../representation/represented.ts';
import type { ChangeSignal } from './change-signal.ts';
import type { Resource } from './resource.ts';

/** A resource in one of its versions, as in a URL. */
export interface Served extends Represented {
  readonly resource: Resource;
  /** Distinguishes representations from before and after a change of the CRD. */
  readonly epoch: number;
  /** Aborted when the CRD changes or is removed: watches end then. */
  readonly changes: ChangeSignal;
}
