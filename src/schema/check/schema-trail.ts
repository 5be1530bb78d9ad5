import type { SchemaStep } from './schema-site.ts';

/**
 * The steps from the root to a schema. Schemas share the steps of their parent; the list is only built on demand,
 * because most schemas have no rules.
 */
export class SchemaTrail {
  /** The root. */
  static readonly root = new SchemaTrail(undefined, undefined);

  readonly #before: SchemaTrail | undefined;
  readonly #step: SchemaStep | undefined;

  private constructor(before: SchemaTrail | undefined, step: SchemaStep | undefined) {
    this.#before = before;
    this.#step = step;
  }

  /** Adds a step. */
  followedBy(step: SchemaStep): SchemaTrail {
    return new SchemaTrail(this, step);
  }

  /** The steps from the root. */
  get steps(): readonly SchemaStep[] {
    const steps: SchemaStep[] = [];
    for (let at: SchemaTrail | undefined = this; at !== undefined; at = at.#before) {
      if (at.#step !== undefined) steps.push(at.#step);
    }
    return steps.reverse();
  }
}
