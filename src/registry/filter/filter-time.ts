import { type Clock, limits, timeoutError } from '../../meta/index.ts';

/** How long a filter may be evaluated: its cost does not count everything. */
export interface FilterTime {
  /** Called before each evaluation; what it gives says when that has to be given up. */
  begin(): () => boolean;
  /** Called where one was given up. @throws {StatusError} 504 where there is no answer without it */
  ranOut(): void;
}

/** All evaluations of a list together: a list without some of its objects would be a wrong one. */
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

/** Each evaluation of a watch, which may live for ever: an object for which it takes longer is not selected. */
export function timeOfWatch(clock: Clock): FilterTime {
  return {
    begin: () => timeOfList(clock).begin(),
    ranOut: () => {},
  };
}
