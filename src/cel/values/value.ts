import type { CelBytes } from './bytes.ts';
import type { CelError } from './cel-error.ts';
import type { CelDouble } from './double.ts';
import type { CelDuration } from './duration.ts';
import type { CelList } from './list.ts';
import type { CelMap } from './map.ts';
import type { CelOpaque } from './opaque.ts';
import type { CelOptional } from './optional.ts';
import type { CelTimestamp } from './timestamp.ts';
import type { CelType } from './type-value.ts';
import type { CelUint } from './uint.ts';

/** An int64: a `number` if safe, otherwise a `bigint`; never a safe integer as a bigint. */
export type CelInt = number | bigint;

/**
 * A boxed, self-describing CEL value.
 *
 * null, bool, string and int are JavaScript values; every other type has a class. A plain `number` is always an int: a
 * double is a {@link CelDouble}.
 */
export type Value =
  | null
  | boolean
  | string
  | CelInt
  | CelDouble
  | CelUint
  | CelBytes
  | CelTimestamp
  | CelDuration
  | CelType
  | CelOptional
  | CelList
  | CelMap
  | CelOpaque;

/** The result of an evaluation: errors are values in CEL, because `&&` and `||` may absorb them. */
export type Result = Value | CelError;
