import type { StoredChange } from '../registry/index.ts';

/**
 * Where a controller has nothing left to do. What it would do next hangs on changes that it is told of: in a fork of
 * the server it can stay asleep until one of them concerns it.
 */
export interface Rest {
  /** Everything up to here was looked at. */
  readonly revision: number;
  /** Only changes of keys that begin so can make work: the others are not even looked at. */
  readonly prefix: string;
  /** Whether a change after that may make work. May say yes too often, never no too often. */
  concerns(change: StoredChange): boolean;
}

/** A controller that runs. */
export interface RunningController {
  /** Resolves when it has ended. */
  readonly done: Promise<void>;
  /** Undefined while there is something to do, or to wait for. */
  rest(): Rest | undefined;
}
