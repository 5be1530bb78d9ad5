/**
 * A long task in steps: a generator that yields where other requests may run. Its input must not change meanwhile, or
 * it must be read again after each yield.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps of a task at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs steps at once, or in time slices. */
export type RunSteps = <Result>(steps: Steps<Result>) => Result | Promise<Result>;
