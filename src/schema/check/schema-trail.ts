import type { SchemaStep } from './schema-site.ts';

/**
 * The way from the root of a schema to a place in it. Each place shares the way of those around it, because most places
 * have no rules, and nobody asks for their way.
 */
export class SchemaTrail {
  /** Where every way begins. */
  static readonly root = new SchemaTrail(undefined, undefined);

  readonly #before: SchemaTrail | undefined;
  readonly #step: SchemaStep | undefined;

  private constructor(before: SchemaTrail | undefined, step: SchemaStep | undefined) {
    this.#before = before;
    this.#step = step;
  }

  /** One step further. */
  followedBy(step: SchemaStep): SchemaTrail {
    return new SchemaTrail(this, step);
  }

  /** The steps from the root on. */
  get steps(): readonly SchemaStep[] {
    const steps: SchemaStep[] = [];
    for (let at: SchemaTrail | undefined = this; at !== undefined; at = at.#before) {
      if (at.#step !== undefined) steps.push(at.#step);
    }
    return steps.reverse();
  }
}
