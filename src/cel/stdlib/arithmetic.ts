import { type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { double, duration, int, timestamp, uint } from '../functions/param.ts';
import { doubleType, durationType, intType, timestampType, uintType } from '../types/type.ts';
import { CelDouble } from '../values/double.ts';
import { checkedDuration } from '../values/duration.ts';
import { divideInts, moduloInts, multiplyInts, negateInt, subtractInts } from '../values/int.ts';
import { divideUints, moduloUints, multiplyUints, subtractUints } from '../values/uint-arithmetic.ts';

/** The arithmetic operators except `+`. */
export const arithmetic: readonly FunctionDeclaration[] = [
  {
    name: '_/_',
    mismatch: 'nothing',
    overloads: [
      globalOverload(
        'divide_double',
        [double, double],
        doubleType,
        (x, y) => new CelDouble(x.value / y.value),
      ),
      globalOverload('divide_int64', [int, int], intType, divideInts),
      globalOverload('divide_uint64', [uint, uint], uintType, divideUints),
    ],
  },
  {
    name: '_%_',
    mismatch: 'nothing',
    overloads: [
      globalOverload('modulo_int64', [int, int], intType, moduloInts),
      globalOverload('modulo_uint64', [uint, uint], uintType, moduloUints),
    ],
  },
  {
    name: '_*_',
    mismatch: 'nothing',
    overloads: [
      globalOverload(
        'multiply_double',
        [double, double],
        doubleType,
        (x, y) => new CelDouble(x.value * y.value),
      ),
      globalOverload('multiply_int64', [int, int], intType, multiplyInts),
      globalOverload('multiply_uint64', [uint, uint], uintType, multiplyUints),
    ],
  },
  {
    name: '-_',
    mismatch: 'nothing',
    overloads: [
      globalOverload('negate_double', [double], doubleType, (x) => new CelDouble(-x.value)),
      globalOverload('negate_int64', [int], intType, negateInt),
    ],
  },
  {
    name: '_-_',
    mismatch: 'nothing',
    overloads: [
      globalOverload(
        'subtract_double',
        [double, double],
        doubleType,
        (x, y) => new CelDouble(x.value - y.value),
      ),
      globalOverload('subtract_duration_duration', [duration, duration], durationType, (x, y) =>
        checkedDuration(x.nanos - y.nanos),
      ),
      globalOverload('subtract_int64', [int, int], intType, subtractInts),
      globalOverload('subtract_timestamp_duration', [timestamp, duration], timestampType, (x, y) =>
        x.minus(y),
      ),
      globalOverload('subtract_timestamp_timestamp', [timestamp, timestamp], durationType, (x, y) =>
        x.since(y),
      ),
      globalOverload('subtract_uint64', [uint, uint], uintType, subtractUints),
    ],
  },
];
