import { type Clock, limits, timeoutError } from '../../meta/index.ts';

/** How long a filter may be evaluated: CEL costs do not cover everything. */
export interface FilterTime {
  /** Called before each evaluation; the result tells when to abort it. */
  begin(): () => boolean;
  /** Called when an evaluation was aborted. @throws {StatusError} 504 if there is no answer without it */
  ranOut(): void;
}

/** One limit for all evaluations of a list, because a list must not omit objects. */
export function timeOfList(clock: Clock): FilterTime {
  const end = clock.now() + limits.filterTimeMsMax;
  const isUp = () => clock.now() > end;
  return {
    begin: () => isUp,
    ranOut: () => {
      throw timeoutError(`the filter took longer than ${limits.filterTimeMsMax} ms`);
    },
  };
}

/** A limit for each evaluation of a watch; an object whose evaluation takes longer is not selected. */
export function timeOfWatch(clock: Clock): FilterTime {
  return {
    begin: () => timeOfList(clock).begin(),
    ranOut: () => {},
  };
}
