/** `breaking`: an object, a client or a controller that worked before may fail. */
type Severity = 'breaking' | 'safe';

/** One difference between two CRDs, as text. */
export interface Change {
  readonly severity: Severity;
  /** The version; empty if it concerns the whole CRD. */
  readonly version: string;
  /** `.spec.ports[].name`; empty if it is not about a field. */
  readonly path: string;
  readonly message: string;
  /** The configuration name of the rule that found it: `enum`. */
  readonly rule: string;
}

/** A difference without location and rule. */
export type Difference = Pick<Change, 'severity' | 'message'>;

export function breaking(message: string): Difference {
  return { severity: 'breaking', message };
}

export function safe(message: string): Difference {
  return { severity: 'safe', message };
}
