import type { KubeObject, UserInfo } from '../../meta/index.ts';

export const operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type CaseOperation = (typeof operations)[number];

/**
 * The expected decision about a write. `warn`: it is allowed, and at least one policy warned. Audit annotations are
 * not checked.
 */
export const verdicts = ['allow', 'deny', 'warn'] as const;
export type PolicyVerdict = (typeof verdicts)[number];

/** The expected result of a write. */
export interface Expectation {
  readonly verdict: PolicyVerdict;
  /** A part of the refusal, or of a warning. */
  readonly message: string | undefined;
  /** Expected fields of the object after mutations and defaults; see `missingFrom`. */
  readonly object: KubeObject | undefined;
}

/** One write and its expected result. */
export interface PolicyCase {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly operation: CaseOperation;
  /** The object to write; absent for DELETE. */
  readonly object: KubeObject | undefined;
  /** The stored object; absent for CREATE. */
  readonly oldObject: KubeObject | undefined;
  /** The user; an administrator if absent. */
  readonly user: UserInfo | undefined;
  /** Labels of the object's namespace; those in the folder if absent. */
  readonly namespaceLabels: KubeObject | undefined;
  readonly expected: Expectation;
}

/** The object of a case. */
export function subjectOf({ object, oldObject }: PolicyCase): KubeObject {
  return object ?? oldObject ?? {};
}
