import type { JsonObject } from '../meta/index.ts';
import type { Difference } from './change.ts';

/** One field of the old and the new schema, and what its parent says about it. */
export interface SchemaPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Compares one aspect of a field that both CRDs have. */
export type SchemaRule = (pair: SchemaPair) => readonly Difference[];
