import type { Represented } from '../representation/represented.ts';
import type { ChangeSignal } from './change-signal.ts';
import type { Resource } from './resource.ts';

/** A resource in one of its versions, as a URL names it. */
export interface Served extends Represented {
  readonly resource: Resource;
  /** Tells forms of before a change of the CRD from those after it. */
  readonly epoch: number;
  /** Given when the CRD changes or goes: watches end then. */
  readonly changes: ChangeSignal;
}
