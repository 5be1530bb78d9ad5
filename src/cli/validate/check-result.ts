import type { KubeObject } from '../../meta/index.ts';

/** Something that is said of one object, and where. */
export interface Finding {
  readonly message: string;
  /** `spec.items[0].name`; empty where it is about the whole object. */
  readonly field: string;
  /** In the file of the object, from 1. */
  readonly line: number;
}

/**
 * `invalid`: a server refuses the object. `error`: nothing can be said of it, because its file cannot be read or its
 * kind is not known. `skipped`: it was not asked for.
 */
const verdicts = ['valid', 'invalid', 'error', 'skipped'] as const;
export type Verdict = (typeof verdicts)[number];

/** What came of one object. */
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
  /** As a server would store it, pruned and with its defaults; of valid objects. */
  readonly object: KubeObject | undefined;
}

/** How many of each. */
type Summary = Readonly<Record<Verdict, number>>;

export function summarize(all: readonly CheckResult[]): Summary {
  const summary = { valid: 0, invalid: 0, error: 0, skipped: 0 };
  for (const { verdict } of all) summary[verdict] += 1;
  return summary;
}
