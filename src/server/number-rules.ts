/** The valid numbers of an option, and the message about others. */
export interface NumberRule {
  readonly min: number;
  readonly max: number;
  readonly reason: string;
}

/** The rules for numbers of flags and library options. */
export const numberRules = Object.freeze({
  port: { min: 0, max: 65_535, reason: 'not a port.' },
  count: { min: 0, max: Number.MAX_SAFE_INTEGER, reason: 'not a number.' },
  requests: { min: 1, max: Number.MAX_SAFE_INTEGER, reason: 'not a number of requests.' },
  workers: { min: 1, max: 64, reason: 'not a number of workers from 1 to 64.' },
  fields: { min: 1, max: Number.MAX_SAFE_INTEGER, reason: 'not a number of fields.' },
} satisfies Record<string, NumberRule>);
