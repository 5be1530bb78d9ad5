import type { Value } from '../values/value.ts';

/** The result of generated code: a value and its cost. */
export interface Finished {
  readonly value: Value;
  readonly cost: number;
}

/** Nearly all rules return a bool for a cost below this. */
const sharedCosts = 256;

function shared(value: boolean): readonly Finished[] {
  return Array.from({ length: sharedCosts }, (_, cost) => Object.freeze({ value, cost }));
}

const whenTrue = shared(true);
const whenFalse = shared(false);

/**
 * A bool with its cost. Frequent results are preallocated: allocating them took a third of the time of a short rule.
 */
export function finishedBool(value: boolean, cost: number): Finished {
  return (value ? whenTrue : whenFalse)[cost] ?? finished(value, cost);
}

/** A value with its cost. */
export function finished(value: Value, cost: number): Finished {
  return { value, cost };
}
