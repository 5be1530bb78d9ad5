import { CelOpaque } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type { DataWeights } from './data-weight.ts';
import { jsonEqual } from './json-equal.ts';

/**
 * JSON of unknown type. Expressions cannot select it; it only counts when the objects that contain it are compared.
 *
 * Source: unknownPreserved in pkg/cel/common/valuesunstructured.go of k8s.io/apiserver.
 */
export class PreservedJson extends CelOpaque {
  readonly typeName = 'unknown';
  readonly #raw: unknown;
  readonly #weights: DataWeights;

  constructor(raw: unknown, weights: DataWeights) {
    super();
    this.#raw = raw;
    this.#weights = weights;
  }

  override weight(): number {
    return this.#weights.of(this.#raw);
  }

  equals(other: Value): boolean {
    return other instanceof PreservedJson && jsonEqual(this.#raw, other.#raw);
  }
}
