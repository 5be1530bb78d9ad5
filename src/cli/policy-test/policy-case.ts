import type { KubeObject, UserInfo } from '../../meta/index.ts';

export const operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type CaseOperation = (typeof operations)[number];

/**
 * What policies may make of a write. `warn`: it is let through, and at least one policy warned. Audit annotations do not
 * show.
 */
export const verdicts = ['allow', 'deny', 'warn'] as const;
export type PolicyVerdict = (typeof verdicts)[number];

/** What must come of a write. */
export interface Expectation {
  readonly verdict: PolicyVerdict;
  /** Part of the refusal, or of a warning. */
  readonly message: string | undefined;
  /** What the object must have after mutations and defaults; see `missingFrom`. */
  readonly object: KubeObject | undefined;
}

/** One write, and what policies must make of it. */
export interface PolicyCase {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly operation: CaseOperation;
  /** The object as it is written; not for DELETE. */
  readonly object: KubeObject | undefined;
  /** The object as it is stored; not for CREATE. */
  readonly oldObject: KubeObject | undefined;
  /** An administrator where it is left out. */
  readonly user: UserInfo | undefined;
  /** Of the object's namespace; as the folder has it where they are left out. */
  readonly namespaceLabels: KubeObject | undefined;
  readonly expected: Expectation;
}

/** The object that a case is about. */
export function subjectOf({ object, oldObject }: PolicyCase): KubeObject {
  return object ?? oldObject ?? {};
}
