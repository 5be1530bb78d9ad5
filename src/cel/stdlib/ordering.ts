import { type FunctionDeclaration, globalOverload, type Overload } from '../functions/function.ts';
import * as params from '../functions/param.ts';
import { boolType } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import { compareValues } from '../values/order.ts';
import type { Value } from '../values/value.ts';

/** The ordered pairs of types, named as in cel-go's overload ids. */
const pairs: readonly [suffix: string, left: params.Param<Value>, right: params.Param<Value>][] = [
  ['bool', params.bool, params.bool],
  ['int64', params.int, params.int],
  ['int64_double', params.int, params.double],
  ['int64_uint64', params.int, params.uint],
  ['uint64', params.uint, params.uint],
  ['uint64_double', params.uint, params.double],
  ['uint64_int64', params.uint, params.int],
  ['double', params.double, params.double],
  ['double_int64', params.double, params.int],
  ['double_uint64', params.double, params.uint],
  ['string', params.string, params.string],
  ['bytes', params.bytes, params.bytes],
  ['timestamp', params.timestamp, params.timestamp],
  ['duration', params.duration, params.duration],
];

function comparison(name: string, prefix: string, holds: (order: number) => boolean): FunctionDeclaration {
  const overloads = pairs.map(
    ([suffix, left, right]): Overload =>
      globalOverload(`${prefix}_${suffix}`, [left, right], boolType, (x, y) => {
        const order = compareValues(x, y);
        return isError(order) ? order : holds(order);
      }),
  );
  return { name, mismatch: 'nothing', overloads };
}

/** `<`, `<=`, `>` and `>=`. */
export const ordering: readonly FunctionDeclaration[] = [
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
];
