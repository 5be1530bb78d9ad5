import type { JsonObject } from '../../../meta/index.ts';
import type { Change } from '../change.ts';

/** A change whose rule is the one that has found it. */
export type CrdDifference = Omit<Change, 'rule'> & Partial<Pick<Change, 'rule'>>;

/** The specs of a CRD before and after. */
export interface CrdPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Compares one aspect of two CRDs. */
export type CrdRule = (pair: CrdPair) => readonly CrdDifference[];
