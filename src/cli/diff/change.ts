/** `breaking`: an object, a client or a controller that was fine before may not be any more. */
type Severity = 'breaking' | 'safe';

/** One difference between two CRDs, in words. */
export interface Change {
  readonly severity: Severity;
  /** The version that it is about; empty where it is about the whole CRD. */
  readonly version: string;
  /** `.spec.ports[].name`; empty where it is not about a field. */
  readonly path: string;
  readonly message: string;
  /** The rule that found it, as a configuration names it: `enum`. */
  readonly rule: string;
}

/** A difference before it is known where, and of which rule. */
export type Difference = Pick<Change, 'severity' | 'message'>;

export function breaking(message: string): Difference {
  return { severity: 'breaking', message };
}

export function safe(message: string): Difference {
  return { severity: 'safe', message };
}
