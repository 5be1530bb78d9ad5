import { actualSize } from '../cost/actual-size.ts';
import { operandAt } from '../cost/builders.ts';
import type { CallCost } from '../cost/function-costs.ts';
import { add, multiply, one, scale } from '../cost/size.ts';
import { type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { list } from '../functions/param.ts';
import { boolType, typeParam } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import type { CelList } from '../values/list.ts';
import type { Result } from '../values/value.ts';
import type { Library } from './library.ts';

function contains(values: CelList, sublist: CelList): Result {
  for (let index = 0; index < sublist.size; index++) {
    const value = sublist.at(index);
    const found = isError(value) ? value : values.contains(value);
    if (found !== true) return found;
  }
  return true;
}

function equivalent(left: CelList, right: CelList): Result {
  const holds = contains(left, right);
  return holds === true ? contains(right, left) : holds;
}

function intersects(left: CelList, right: CelList): Result {
  for (let index = 0; index < left.size; index++) {
    const value = left.at(index);
    if (!isError(value) && right.contains(value) === true) return true;
  }
  return false;
}

const values = list(typeParam('T'));

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'sets.contains',
    overloads: [globalOverload('list_sets_contains_list', [values, values], boolType, contains)],
  },
  {
    name: 'sets.equivalent',
    overloads: [globalOverload('list_sets_equivalent_list', [values, values], boolType, equivalent)],
  },
  {
    name: 'sets.intersects',
    overloads: [globalOverload('list_sets_intersects_list', [values, values], boolType, intersects)],
  },
];

/** Every element is compared with every element of the other list, this many times. */
function pairwise(times: number): CallCost {
  return {
    estimate(call) {
      const left = operandAt(call, 0);
      const right = operandAt(call, 1);
      if (left === undefined || right === undefined) return undefined;
      return { cost: add(scale(multiply(call.sizeOf(left), call.sizeOf(right)), times), one) };
    },
    actual: ({ args: [left = null, right = null] }) => 1 + actualSize(left) * actualSize(right) * times,
  };
}

/** cel-go's ext.Sets. */
export function setsLibrary(): Library {
  return {
    name: 'sets',
    functions,
    costs: {
      overloads: {
        list_sets_contains_list: pairwise(1),
        list_sets_intersects_list: pairwise(1),
        list_sets_equivalent_list: pairwise(2),
      },
    },
  };
}
