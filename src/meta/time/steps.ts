/**
 * Long work in steps: a generator that yields where other requests may come in between. What it reads must not change
 * meanwhile, or it must look again after each yield.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps of a piece of work at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does steps at once, or in slices of time. */
export type RunSteps = <Result>(steps: Steps<Result>) => Result | Promise<Result>;
