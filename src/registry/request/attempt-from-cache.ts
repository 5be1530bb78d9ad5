import { StatusError } from '../../meta/index.ts';
import { type RequestEffects, Warnings } from './context.ts';
import { isStorageError } from './store-call.ts';

/**
 * Runs a write that starts from cached state. The commit checks that the state is still the latest; a refusal before
 * the commit may be due to old state. Then the result is undefined: nothing was written, and the write must be run
 * again from the latest state. The effects of such an attempt are discarded; those of any other run at its end.
 *
 * @param effects of the request; they receive those of the attempt
 * @throws the attempt's error, if the latest state would make no difference
 */
export async function attemptFromCache<T>(
  effects: RequestEffects,
  attempt: (effects: RequestEffects) => Promise<T>,
): Promise<T | undefined> {
  const warnings = new Warnings();
  const deferred: (() => void)[] = [];
  const takePlace = () => {
    effects.warnings.add(...warnings.list());
    for (const effect of deferred) effect();
  };
  try {
    const result = await attempt({ warnings, defer: (effect) => deferred.push(effect) });
    takePlace();
    return result;
  } catch (error) {
    if (error instanceof StatusError && !isStorageError(error)) return undefined;
    takePlace();
    throw error;
  }
}
