import type { Result } from '../values/value.ts';
import { Interrupted, turnsPerCheck } from './interrupt.ts';

/** The expression became more expensive than it may be. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'CostLimitExceeded';
  }
}

/** Marks a variable without a value. */
export const unset = Symbol('unset');

/** The state of one evaluation. */
export class Frame {
  /** What the caller bound, by name, not yet read. */
  readonly bindings: object;
  /** The variables of comprehensions, each at a place of its own. */
  readonly locals: (Result | typeof unset)[] = [];
  /** Variables that were read already, by name. */
  readonly read = new Map<string, Result>();
  readonly #limit: number;
  readonly #interrupt: (() => boolean) | undefined;
  #cost = 0;
  #turns = 0;

  constructor(bindings: object, limit: number, interrupt?: () => boolean) {
    this.bindings = bindings;
    this.#limit = limit;
    this.#interrupt = interrupt;
  }

  get cost(): number {
    return this.#cost;
  }

  /** Adds to the cost; throws CostLimitExceeded once it is above the limit. */
  charge(amount: number): void {
    this.#cost += amount;
    if (this.#cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Counts a turn of a loop; throws Interrupted where there should be no further one. */
  turn(): void {
    if (++this.#turns % turnsPerCheck === 0 && this.#interrupt?.() === true) throw new Interrupted();
  }
}

/** One node, ready to be evaluated. */
export type Step = (frame: Frame) => Result;
