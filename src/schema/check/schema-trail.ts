import type { SchemaStep } from './schema-site.ts';

/**
 * The path from the root of a schema to a place in it. Places share the path of their parent; it is only built on
 * demand, because most places have no rules.
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
