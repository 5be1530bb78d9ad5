import { tooManyRequests } from '../../http/index.ts';
import { allVerbs, type FaultKind } from '../fault-kind.ts';

/** The server has too much to do: 429 with a Retry-After header. */
export interface TooManyRequestsFault {
  readonly fault: 'tooManyRequests';
  /** 1 where it is left out. */
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
