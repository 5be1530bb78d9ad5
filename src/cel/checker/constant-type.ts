import * as t from '../types/type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { isInt } from '../values/int.ts';
import { CelUint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

/** The type of a literal. */
export function constantType(value: Value): t.Type {
  if (value === null) return t.nullType;
  if (typeof value === 'boolean') return t.boolType;
  if (typeof value === 'string') return t.stringType;
  if (isInt(value)) return t.intType;
  if (value instanceof CelDouble) return t.doubleType;
  if (value instanceof CelUint) return t.uintType;
  return value instanceof CelBytes ? t.bytesType : t.dynType;
}
