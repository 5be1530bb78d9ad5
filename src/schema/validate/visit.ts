import type { JsonValue } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Correlation } from './correlation.ts';
import type { Findings } from './findings.ts';

/** A value during validation. */
export interface Visit {
  readonly node: SchemaNode;
  readonly value: JsonValue;
  /** Relative to the validated value; empty for itself. */
  readonly path: string;
  /** The corresponding old value; undefined if there is none, and in branches such as `anyOf`. */
  readonly correlation?: Correlation | undefined;
}

/** The recursive validation, passed to functions that continue with children. */
export type Explain = (visit: Visit, findings: Findings) => void;
