import type { KubeObject } from '../meta/index.ts';

/** A message about one object, and its place. */
export interface Finding {
  readonly message: string;
  /** `spec.items[0].name`; empty if it concerns the whole object. */
  readonly field: string;
  /** The line in the object's file, from 1. */
  readonly line: number;
}

/**
 * `invalid`: a server would refuse the object. `error`: the object could not be checked, because its file cannot be
 * read or its kind is unknown. `skipped`: it was excluded.
 */
const verdicts = ['valid', 'invalid', 'error', 'skipped'] as const;
export type Verdict = (typeof verdicts)[number];

/** The result of one object. */
export interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** A valid object as a server would store it, pruned and with defaults. */
  readonly object: KubeObject | undefined;
}

/** The counts. */
type Summary = Readonly<Record<Verdict, number>>;

export function summarize(all: readonly CheckResult[]): Summary {
  const summary = { valid: 0, invalid: 0, error: 0, skipped: 0 };
  for (const { verdict } of all) summary[verdict] += 1;
  return summary;
}
