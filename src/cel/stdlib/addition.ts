import { type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { bytes, double, duration, int, list, string, timestamp, uint } from '../functions/param.ts';
import {
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../types/type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { checkedDuration } from '../values/duration.ts';
import { addInts } from '../values/int.ts';
import { addUints } from '../values/uint-arithmetic.ts';

const a = typeParam('A');

/** `_+_`: addition, and concatenation of strings, bytes and lists. */
export const addition: FunctionDeclaration = {
  name: '_+_',
  mismatch: 'nothing',
  overloads: [
    globalOverload(
      'add_bytes',
      [bytes, bytes],
      bytesType,
      (x, y) => new CelBytes(Buffer.concat([x.bytes, y.bytes])),
    ),
    globalOverload('add_double', [double, double], doubleType, (x, y) => new CelDouble(x.value + y.value)),
    globalOverload('add_duration_duration', [duration, duration], durationType, (x, y) =>
      checkedDuration(x.nanos + y.nanos),
    ),
    globalOverload('add_duration_timestamp', [duration, timestamp], timestampType, (x, y) => y.plus(x)),
    globalOverload('add_timestamp_duration', [timestamp, duration], timestampType, (x, y) => x.plus(y)),
    globalOverload('add_int64', [int, int], intType, addInts),
    globalOverload('add_list', [list(a), list(a)], listType(a), (x, y) => x.concat(y)),
    globalOverload('add_string', [string, string], stringType, (x, y) => x + y),
    globalOverload('add_uint64', [uint, uint], uintType, addUints),
  ],
};
