import {
  builtInOverload,
  type FunctionDeclaration,
  globalOverload,
  memberOverload,
  type Overload,
} from '../functions/function.ts';
import { any, bytes, list, map, type Param, string } from '../functions/param.ts';
import { boolType, intType, listType, mapType, typeParam } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import { codePointLength } from '../values/text.ts';
import type { Value } from '../values/value.ts';

const a = typeParam('A');
const b = typeParam('B');

/** `size(x)` and `x.size()` alike. */
function sizes<V extends Value>(type: string, param: Param<V>, size: (value: V) => number): Overload[] {
  return [
    globalOverload(`size_${type}`, [param], intType, size),
    memberOverload(`${type}_size`, [param], intType, size),
  ];
}

/** Indexing, membership and size. */
export const containers: readonly FunctionDeclaration[] = [
  {
    name: '_[_]',
    mismatch: 'nothing',
    overloads: [
      builtInOverload('index_list', [listType(a), intType], a),
      builtInOverload('index_map', [mapType(a, b), a], b),
    ],
  },
  {
    name: '@in',
    mismatch: 'nothing',
    overloads: [
      globalOverload('in_list', [any(a), list(a)], boolType, (value, values) => values.contains(value)),
      globalOverload('in_map', [any(a), map(a, b)], boolType, (key, values) => {
        const found = values.find(key);
        return isError(found) ? found : found !== undefined;
      }),
    ],
  },
  {
    name: 'size',
    mismatch: 'name',
    overloads: [
      ...sizes('bytes', bytes, (value) => value.bytes.length),
      ...sizes('list', list(a), (value) => value.size),
      ...sizes('map', map(a, b), (value) => value.size),
      ...sizes('string', string, codePointLength),
    ],
  },
];
