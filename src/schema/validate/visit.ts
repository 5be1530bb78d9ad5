import type { JsonValue } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Correlation } from './correlation.ts';
import type { Findings } from './findings.ts';

/** A value on its way through the schema. */
export interface Visit {
  readonly node: SchemaNode;
  readonly value: JsonValue;
  /** Relative to the validated value, empty for itself. */
  readonly path: string;
  /** What the value replaces; undefined where nothing corresponds to it, and in branches of `anyOf` and its like. */
  readonly correlation?: Correlation | undefined;
}

/** The walk itself, passed to the parts of it that need to go on from a value. */
export type Explain = (visit: Visit, findings: Findings) => void;
