import type { JsonObject } from '../../meta/index.ts';
import type { Change } from '../change.ts';

/** A change before its rule is set. */
export type CrdDifference = Omit<Change, 'rule'> & Partial<Pick<Change, 'rule'>>;

/** The specs of the old and the new CRD. */
export interface CrdPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Compares one aspect of two CRDs. */
export type CrdRule = (pair: CrdPair) => readonly CrdDifference[];
