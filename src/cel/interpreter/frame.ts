import type { Result } from '../values/value.ts';
import { Interrupted, turnsPerCheck } from './interrupt.ts';

/** The cost limit is exceeded. */
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
  /** The caller's bindings by name, not yet converted. */
  readonly bindings: object;
  /** The comprehension variables, by slot. */
  readonly locals: (Result | typeof unset)[] = [];
  /** Converted variables by name. */
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

  /** Adds to the cost; throws CostLimitExceeded above the limit. */
  charge(amount: number): void {
    this.#cost += amount;
    if (this.#cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Counts an iteration; throws Interrupted if the evaluation must stop. */
  turn(): void {
    if (++this.#turns % turnsPerCheck === 0 && this.#interrupt?.() === true) throw new Interrupted();
  }
}

/** One executable node. */
export type Step = (frame: Frame) => Result;
