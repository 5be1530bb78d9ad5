import { scale, one, add, multiply } from '../cost/size.ts';
import { stringFactor } from '../cost/constants.ts';
import type { CallCost } from '../cost/function-costs.ts';
import { traversalCost } from '../cost/traversal-cost.ts';
import { dispatch, type FunctionDeclaration, memberOverload } from '../functions/function.ts';
import { any, list } from '../functions/param.ts';
import { addition } from '../stdlib/addition.ts';
import { boolType, dynType, intType, typeParam } from '../types/type.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration } from '../values/duration.ts';
import { valuesEqual } from '../values/equality.ts';
import { CelList } from '../values/list.ts';
import { compareValues } from '../values/order.ts';
import { CelUint } from '../values/uint.ts';
import type { Result, Value } from '../values/value.ts';
import { comparableTypes } from './comparable-types.ts';
import type { Library } from './library.ts';

/** Folds the elements, up to the first error. */
function fold(
  values: CelList,
  first: Value | undefined,
  step: (previous: Value, next: Value) => Result,
): Result | undefined {
  let result: Result | undefined = first;
  for (let index = 0; index < values.size; index++) {
    const next = values.at(index);
    if (isError(next)) return next;
    result = result === undefined ? next : step(result, next);
    if (isError(result)) return result;
  }
  return result;
}

function isSorted(values: CelList): Result {
  let sorted = true;
  const last = fold(values, undefined, (previous, next) => {
    const order = compareValues(previous, next);
    if (order === 1) sorted = false;
    return next;
  });
  return isError(last) ? last : sorted;
}

/** The smallest element if `better` is 1, the largest if it is -1. */
function extreme(name: string, better: 1 | -1): (values: CelList) => Result {
  return (values) =>
    fold(values, undefined, (best, next) => (compareValues(best, next) === better ? next : best)) ??
    new CelError(`${name} called on empty list`);
}

function sum(zero: Value): (values: CelList) => Result {
  return (values) => fold(values, zero, (total, next) => dispatch(addition, false, [total, next])) ?? zero;
}

function indexOf(values: CelList, item: Value): Result {
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (!isError(value) && valuesEqual(value, item) === true) return index;
  }
  return -1;
}

function lastIndexOf(values: CelList, item: Value): Result {
  for (let index = values.size - 1; index >= 0; index--) {
    const value = values.at(index);
    if (!isError(value) && valuesEqual(value, item) === true) return index;
  }
  return -1;
}

/** Whether a list contains the item or an equal element. */
function includes(target: Value, item: Value): Result {
  return target instanceof CelList ? indexOf(target, item) !== -1 : valuesEqual(target, item) === true;
}

const zeros: Partial<Record<string, Value>> = {
  int: 0,
  uint: new CelUint(0n),
  double: new CelDouble(0),
  duration: new CelDuration(0n),
};

const a = typeParam('A');

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'isSorted',
    overloads: comparableTypes.map(({ name, type }) =>
      memberOverload(`list_${name}_is_sorted_bool`, [list(type)], boolType, isSorted),
    ),
  },
  {
    name: 'sum',
    overloads: comparableTypes.flatMap(({ name, type }) => {
      const zero = zeros[name];
      return zero === undefined
        ? []
        : [memberOverload(`list_${name}_sum_${name}`, [list(type)], type, sum(zero))];
    }),
  },
  {
    name: 'max',
    overloads: comparableTypes.map(({ name, type }) =>
      memberOverload(`list_${name}_max_${name}`, [list(type)], type, extreme('max', -1)),
    ),
  },
  {
    name: 'min',
    overloads: comparableTypes.map(({ name, type }) =>
      memberOverload(`list_${name}_min_${name}`, [list(type)], type, extreme('min', 1)),
    ),
  },
  {
    name: 'indexOf',
    overloads: [memberOverload('list_a_index_of_int', [list(a), any(a)], intType, indexOf)],
  },
  {
    name: 'lastIndexOf',
    overloads: [memberOverload('list_a_last_index_of_int', [list(a), any(a)], intType, lastIndexOf)],
  },
];

const includesFunction: FunctionDeclaration = {
  name: 'includes',
  overloads: [memberOverload('list_includes_dyn_dyn', [any(dynType), any(dynType)], boolType, includes)],
};

/** Visits every element once, and every character of strings; a string is searched like `indexOf`. */
function traversal(wholeWithoutElements: boolean): CallCost {
  return {
    estimate({ target, sizeOf, elementsOf }) {
      if (target === undefined) return undefined;
      const size = sizeOf(target);
      const elements = elementsOf(target);
      if (elements === undefined)
        return { cost: wholeWithoutElements ? scale(size, 1) : scale(size, stringFactor) };
      const isText = elements.type.kind === 'string' || elements.type.kind === 'bytes';
      const each = isText ? add(one, scale(sizeOf(elements), stringFactor)) : one;
      return { cost: multiply(size, each) };
    },
    actual: ({ args: [target = null] }) => traversalCost(target),
  };
}

const traversed = traversal(false);

/** Kubernetes' list functions; version 1 adds `includes`. */
export function listsLibrary(version: 0 | 1): () => Library {
  return () => ({
    name: 'kubernetes.lists',
    functions: version === 0 ? functions : [...functions, includesFunction],
    costs: {
      functions: {
        isSorted: traversed,
        sum: traversed,
        max: traversed,
        min: traversed,
        indexOf: traversed,
        lastIndexOf: traversed,
        includes: traversal(true),
      },
    },
  });
}
