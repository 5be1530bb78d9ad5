import { tooManyRequests } from '../../http/index.ts';
import { allVerbs, type FaultKind } from '../fault-kind.ts';

/** Answers 429 with a Retry-After header, as an overloaded server does. */
export interface TooManyRequestsFault {
  readonly fault: 'tooManyRequests';
  /** Defaults to 1. */
  readonly retryAfterSeconds?: number;
}

export const tooManyRequestsKind: FaultKind = {
  name: 'tooManyRequests',
  verbs: allVerbs,
  read(reader) {
    const retryAfterSeconds = reader.number('retryAfterSeconds', { min: 0, integer: true }, 1);
    return { act: async () => tooManyRequests(retryAfterSeconds) };
  },
};
