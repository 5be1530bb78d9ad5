/** Which numbers an option takes, and what is said of others. */
export interface NumberRule {
  readonly min: number;
  readonly max: number;
  readonly reason: string;
}

/** The rules of numbers that flags and options of the library share. */
export const numberRules = Object.freeze({
  port: { min: 0, max: 65_535, reason: 'not a port.' },
  count: { min: 0, max: Number.MAX_SAFE_INTEGER, reason: 'not a number.' },
  requests: { min: 1, max: Number.MAX_SAFE_INTEGER, reason: 'not a number of requests.' },
  fields: { min: 1, max: Number.MAX_SAFE_INTEGER, reason: 'not a number of fields.' },
} satisfies Record<string, NumberRule>);
