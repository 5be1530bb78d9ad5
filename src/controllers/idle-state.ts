import type { StoredChange } from '../registry/index.ts';

/**
 * The state of a controller that has nothing left to do. Only a change can give it work again: in a fork of the server it
 * need not start before a change concerns it.
 */
export interface IdleState {
  /** The controller has processed every change up to this revision. */
  readonly revision: number;
  /** Only changes of keys with this prefix can give it work. */
  readonly prefix: string;
  /** Whether a later change may give it work. May be true without need, never false. */
  concerns(change: StoredChange): boolean;
}

/** A controller that runs. */
export interface RunningController {
  /** Resolves when it has ended. */
  readonly done: Promise<void>;
  /** Undefined while there is work, or something to wait for. */
  idleState(): IdleState | undefined;
}
