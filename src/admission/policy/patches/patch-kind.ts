import type { MergeType } from '../../../apply/index.ts';
import type { Type, Value } from '../../../cel/index.ts';
import type { KubeObject } from '../../../meta/index.ts';

/** What a mutation changes. */
export interface PatchTarget {
  readonly object: KubeObject;
  readonly mergeType: () => MergeType;
}

/** A mutation that could not be made; whether the write fails with it, the policy says. */
export class MutationError extends Error {}

/** A mutation whose expression gives what it must not give. */
export class EvaluationFailure extends MutationError {}

/** One of the ways in which a mutation says what it changes. */
export interface PatchKind {
  /** As `patchType` names it. */
  readonly patchType: string;
  /** The field of the mutation that has its expression. */
  readonly field: string;
  /** What its expression must give. */
  readonly returnType: Type;
  /**
   * The object with the changes; it may share with the one that is changed, or be the same one.
   *
   * @throws {MutationError} for changes that cannot be made
   */
  patch(value: Value, target: PatchTarget): KubeObject;
}
