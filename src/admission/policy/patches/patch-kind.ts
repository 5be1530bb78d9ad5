import type { MergeType } from '../../../apply/index.ts';
import type { Type, Value } from '../../../cel/index.ts';
import type { KubeObject } from '../../../meta/index.ts';

/** A mutation, as the object and the type of its expression. */
export interface PatchTarget {
  readonly object: KubeObject;
  readonly mergeType: () => MergeType;
}

/** A failed mutation; the policy decides whether the write fails. */
export class MutationError extends Error {}

/** A mutation whose expression returned an invalid value. */
export class EvaluationFailure extends MutationError {}

/** A type of mutation. */
export interface PatchKind {
  /** The value of `patchType`. */
  readonly patchType: string;
  /** The field of the mutation that contains its expression. */
  readonly field: string;
  /** The result type of the expression. */
  readonly returnType: Type;
  /**
   * Returns the changed object; it may share with the original, or be the original.
   *
   * @throws {MutationError} if the changes cannot be applied
   */
  patch(value: Value, target: PatchTarget): KubeObject;
}
