import { actualSize } from '../cost/actual-size.ts';
import { literalSize } from '../cost/builders.ts';
import { listCreateCost, stringFactor } from '../cost/constants.ts';
import type { CallCost, CallEstimate } from '../cost/function-costs.ts';
import { add, fixed, multiply, one, type Range, scale, unlimited } from '../cost/size.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../functions/function.ts';
import { int, list, unchecked, uncheckedList } from '../functions/param.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import { mapMacros } from '../parser/macros/map.ts';
import { dynType, intType, listType, typeParam } from '../types/type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { valuesEqual } from '../values/equality.ts';
import { ArrayList, CelList, RangeList } from '../values/list.ts';
import { compareValues } from '../values/order.ts';
import { maxWeight, requireAtMost } from '../values/too-large.ts';
import { typeNameOf } from '../values/type-name.ts';
import type { CelInt, Result, Value } from '../values/value.ts';
import { comparableTypes } from './comparable-types.ts';
import type { Library } from './library.ts';

function slice(values: CelList, start: CelInt, end: CelInt): Result {
  const failed = (reason: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${reason}`);
  if (start < 0 || end < 0) return failed('negative indexes not supported');
  if (start > end) return failed('start index must be less than or equal to end index');
  if (values.size < end) return failed(`list is length ${values.size}`);
  const elements = values.elements();
  return isError(elements) ? elements : new ArrayList(elements.slice(Number(start), Number(end)));
}

function flatten(values: CelList, depth: CelInt): Value[] | CelError {
  if (depth < 0) return new CelError('level must be non-negative');
  const elements = values.elements();
  if (isError(elements) || depth === 0) return elements;
  const size = elements.reduce((sum: number, value) => sum + (value instanceof CelList ? value.size : 1), 0);
  requireAtMost(size, maxWeight);
  const flat: Value[] = [];
  for (const value of elements) {
    const inner = value instanceof CelList ? flatten(value, Number(depth) - 1) : [value];
    if (isError(inner)) return inner;
    requireAtMost(flat.length + inner.length, maxWeight);
    for (const element of inner) flat.push(element);
  }
  return flat;
}

function flattened(values: Value, ...[depth]: readonly CelInt[]): Result {
  if (!(values instanceof CelList)) {
    const depthType = depth === undefined ? '' : 'int';
    return new CelError(`no such overload: ${typeNameOf(values)}.flatten(${depthType})`);
  }
  const flat = flatten(values, depth ?? 1);
  return isError(flat) ? flat : new ArrayList(flat);
}

/** The elements in the order of their keys. */
function sortByKeys(values: CelList, keyList: CelList): Result {
  const elements = values.elements();
  const keys = keyList.elements();
  if (isError(elements)) return elements;
  if (isError(keys)) return keys;
  if (elements.length !== keys.length) {
    const sizes = `${elements.length} and ${keys.length} elements respectively`;
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${sizes}`,
    );
  }
  const [first] = keys;
  if (first === undefined) return values;
  if (isError(compareValues(first, first))) return new CelError('list elements must be comparable');
  if (keys.some((key) => typeNameOf(key) !== typeNameOf(first)))
    return new CelError('list elements must have the same type');
  const order = keys.map((_, index) => index);
  order.sort((a, b) => {
    const compared = compareValues(keys[a] ?? null, keys[b] ?? null);
    return isError(compared) ? 0 : compared;
  });
  return new ArrayList(order.map((index) => elements[index] ?? null));
}

/** The maximum length of `lists.range`, as in cel-go. */
const maxRange = 1_000_000;

function range(count: CelInt): Result {
  if (count < 0) return new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > maxRange) {
    return new CelError(`lists.range: size ${count} exceeds maximum allowed (${maxRange})`);
  }
  return new RangeList(Number(count));
}

function reverse(values: CelList): Result {
  const elements = values.elements();
  return isError(elements) ? elements : new ArrayList(elements.reverse());
}

function distinct(values: CelList): Result {
  const elements = values.elements();
  if (isError(elements)) return elements;
  const unique: Value[] = [];
  for (const element of elements) {
    if (!unique.some((other) => valuesEqual(element, other) === true)) unique.push(element);
  }
  return new ArrayList(unique);
}

const t = typeParam('T');
const ofT = list(t);

const functions: readonly FunctionDeclaration[] = [
  { name: 'slice', overloads: [memberOverload('list_slice', [ofT, int, int], listType(t), slice)] },
  {
    name: 'flatten',
    mismatch: 'nothing',
    overloads: [
      memberOverload('list_flatten', [unchecked(listType(listType(t)))], listType(t), flattened),
      memberOverload('list_flatten_int', [unchecked(listType(dynType)), int], listType(dynType), flattened),
    ],
  },
  {
    name: 'sort',
    mismatch: 'name',
    overloads: comparableTypes.map(({ type }) =>
      memberOverload(`list_${type.name}_sort`, [uncheckedList(type)], listType(type), (values) =>
        sortByKeys(values, values),
      ),
    ),
  },
  {
    name: '@sortByAssociatedKeys',
    mismatch: 'name',
    overloads: comparableTypes.map(({ type }) =>
      memberOverload(
        `list_${type.name}_sortByAssociatedKeys`,
        [ofT, uncheckedList(type)],
        listType(t),
        sortByKeys,
      ),
    ),
  },
  { name: 'lists.range', overloads: [globalOverload('lists_range', [int], listType(intType), range)] },
  { name: 'reverse', overloads: [memberOverload('list_reverse', [ofT], listType(t), reverse)] },
  { name: 'distinct', overloads: [memberOverload('list_distinct', [ofT], listType(t), distinct)] },
];

/** `list.sortBy(x, key(x))`: binds the list to a name and sorts it by the list of its keys. */
const sortBy: Macro = {
  name: 'sortBy',
  argCount: 2,
  member: true,
  expand(builder, args, target) {
    if (target === undefined) return undefined;
    const variable = builder.ident('@__sortBy_input__');
    if (target.kind === 'const' || target.kind === 'map' || target.kind === 'struct') {
      const message =
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
      return new MacroError(target.id, message);
    }
    const keys = mapMacros[0]?.expand(builder, args, builder.copy(variable));
    if (keys === undefined || keys instanceof MacroError) return keys;
    const sorted = builder.memberCall('@sortByAssociatedKeys', builder.copy(variable), keys);
    return builder.comprehension({
      range: builder.list(),
      iterVar: '#unused',
      accuVar: '@__sortBy_input__',
      init: target,
      condition: builder.constant(false),
      step: variable,
      result: sorted,
    });
  },
};

/** A call that creates a list: 1 for the call, 10 for the list, and a factor per element. */
function allocating(size: Range, factor: number): CallEstimate {
  return { cost: add(scale(size, factor), one, fixed(listCreateCost)), resultSize: size };
}

function allocated(size: number, factor: number): number {
  return Math.floor(size * factor) + 1 + listCreateCost;
}

const outputSized = (estimate: CallCost['estimate']): CallCost => ({
  estimate,
  actual: ({ result }) => allocated(actualSize(result), 1),
  dependsOnResult: true,
});

const flattenCost: CallCost = {
  estimate({ target, args, sizeOf }) {
    if (target === undefined) return undefined;
    const depth = args.length === 0 ? 1n : (literalSize(args[0]) ?? unlimited);
    return allocating(sizeOf(target), Number(depth));
  },
  actual({ args: [values = null, depth = 1] }) {
    const factor = typeof depth === 'number' || typeof depth === 'bigint' ? Number(depth) : 1;
    return allocated(actualSize(values), factor < 0 ? 1 : factor);
  },
};

/** Every key is compared with every other; strings and bytes cost slightly more. */
function selfCompare(isText: boolean, place: 0 | 1): CallCost {
  return {
    estimate({ target, args, sizeOf }) {
      const keys = place === 0 ? target : args[0];
      if (keys === undefined) return undefined;
      const size = sizeOf(keys);
      return allocating(multiply(size, size), isText ? 2 + stringFactor : 2);
    },
    actual({ args }) {
      const keys = args[place] ?? null;
      const size = actualSize(keys);
      const first = keys instanceof CelList && size > 0 ? keys.at(0) : null;
      const isActuallyText = typeof first === 'string' || first instanceof CelBytes;
      return allocated(size * size, isActuallyText ? 2 + stringFactor : 2);
    },
  };
}

function sortCosts(): Record<string, CallCost> {
  const costs: Record<string, CallCost> = {};
  for (const { type } of comparableTypes) {
    const isText = type.kind === 'string' || type.kind === 'bytes';
    costs[`list_${type.name}_sort`] = selfCompare(isText, 0);
    costs[`list_${type.name}_sortByAssociatedKeys`] = selfCompare(isText, 1);
  }
  return costs;
}

/** cel-go's ext.Lists, version 3. */
export function extendedLists(): Library {
  return {
    name: 'extended lists',
    functions,
    macros: [sortBy],
    costs: {
      overloads: {
        list_slice: outputSized(({ target, args: [start, end], sizeOf }) => {
          if (target === undefined) return undefined;
          const size = (literalSize(end) ?? sizeOf(target).max) - (literalSize(start) ?? 0n);
          return allocating(fixed(BigInt.asUintN(64, size)), 1);
        }),
        list_flatten: flattenCost,
        list_flatten_int: flattenCost,
        lists_range: outputSized(({ args: [count] }) =>
          allocating(fixed(literalSize(count) ?? unlimited), 1),
        ),
        list_reverse: outputSized(({ target, sizeOf }) => target && allocating(sizeOf(target), 1)),
        list_distinct: selfCompare(false, 0),
        ...sortCosts(),
      },
    },
  };
}
