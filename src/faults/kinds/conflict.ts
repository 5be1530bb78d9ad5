import { conflictError, staleObjectText } from '../../meta/index.ts';
import type { FaultKind } from '../fault-kind.ts';

/** Answers 409, as if another writer had been faster; nothing is written. */
export interface ConflictFault {
  readonly fault: 'conflict';
}

const verbs = ['update', 'patch', 'delete'] as const;

export const conflictKind: FaultKind = {
  name: 'conflict',
  verbs,
  read: () => ({
    async act({ request: { path } }) {
      const { group = '', resource = '', name = '' } = path ?? {};
      throw conflictError({ group, resource }, name, staleObjectText);
    },
  }),
};
