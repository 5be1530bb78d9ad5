import { CelBytes } from './bytes.ts';
import { CelDouble } from './double.ts';
import { CelDuration } from './duration.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { CelOpaque } from './opaque.ts';
import { CelOptional } from './optional.ts';
import { CelTimestamp } from './timestamp.ts';
import { CelType } from './type-value.ts';
import { CelUint } from './uint.ts';
import type { Value } from './value.ts';

/** The run-time type name of a value, as in `type(x)`. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'int';
    default:
      return value === null ? 'null_type' : classTypeName(value);
  }
}

function classTypeName(value: object): string {
  if (value instanceof CelDouble) return 'double';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelBytes) return 'bytes';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelType) return 'type';
  if (value instanceof CelOpaque) return value.typeName;
  throw new TypeError('not a CEL value');
}
