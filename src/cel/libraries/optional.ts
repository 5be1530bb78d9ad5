import {
  builtInOverload,
  globalOverload,
  memberOverload,
  type FunctionDeclaration,
} from '../functions/function.ts';
import { any, list, optional } from '../functions/param.ts';
import { type Macro, type MacroBuilder, MacroError } from '../parser/macro.ts';
import type { Expr } from '../ast/expression.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParam,
} from '../types/type.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { ArrayList, type CelList } from '../values/list.ts';
import { CelOptional, optionalNone } from '../values/optional.ts';
import type { Result, Value } from '../values/value.ts';
import { isZeroValue } from '../values/zero.ts';
import type { Library } from './library.ts';

const k = typeParam('K');
const v = typeParam('V');
const optionalV = optionalType(v);

function elementAt(values: CelList, index: number): Result {
  if (values.size === 0) return optionalNone;
  const value = values.at(index);
  return isError(value) ? value : new CelOptional(value);
}

function unwrap(values: CelList): Result {
  const kept: Value[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (isError(value)) return value;
    if (!(value instanceof CelOptional)) return new CelError('value is not optional');
    if (value.value !== undefined) kept.push(value.value);
  }
  return new ArrayList(kept);
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'optional.of',
    overloads: [globalOverload('optional_of', [any(v)], optionalV, (value) => new CelOptional(value))],
  },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      globalOverload('optional_ofNonZeroValue', [any(v)], optionalV, (value) =>
        isZeroValue(value) ? optionalNone : new CelOptional(value),
      ),
    ],
  },
  { name: 'optional.none', overloads: [globalOverload('optional_none', [], optionalV, () => optionalNone)] },
  {
    name: 'value',
    overloads: [memberOverload('optional_value', [optional(v)], v, ({ value }) => valueOrNull(value))],
  },
  {
    name: 'hasValue',
    overloads: [
      memberOverload('optional_hasValue', [optional(v)], boolType, ({ value }) => value !== undefined),
    ],
  },
  {
    name: 'or',
    overloads: [builtInOverload('optional_or_optional', [optionalV, optionalV], optionalV, true)],
  },
  { name: 'orValue', overloads: [builtInOverload('optional_orValue_value', [optionalV, v], v, true)] },
  { name: '_?._', overloads: [builtInOverload('select_optional_field', [dynType, stringType], optionalV)] },
  {
    name: '_[?_]',
    overloads: [
      builtInOverload('list_optindex_optional_int', [listType(v), intType], optionalV),
      builtInOverload('optional_list_optindex_optional_int', [optionalType(listType(v)), intType], optionalV),
      builtInOverload('map_optindex_optional_value', [mapType(k, v), k], optionalV),
      builtInOverload('optional_map_optindex_optional_value', [optionalType(mapType(k, v)), k], optionalV),
    ],
  },
  {
    name: '_[_]',
    overloads: [
      builtInOverload('optional_list_index_int', [optionalType(listType(v)), intType], optionalV),
      builtInOverload('optional_map_index_value', [optionalType(mapType(k, v)), k], optionalV),
    ],
  },
  {
    name: 'last',
    overloads: [
      memberOverload('list_last', [list(v)], optionalV, (values) => elementAt(values, values.size - 1)),
    ],
  },
  {
    name: 'first',
    overloads: [memberOverload('list_first', [list(v)], optionalV, (values) => elementAt(values, 0))],
  },
  {
    name: 'optional.unwrap',
    overloads: [globalOverload('optional_unwrap', [list(optionalV)], listType(v), unwrap)],
  },
  {
    name: 'unwrapOpt',
    overloads: [memberOverload('optional_unwrapOpt', [list(optionalV)], listType(v), unwrap)],
  },
];

/** An optional can contain null, but not undefined. */
function valueOrNull(value: Value | undefined): Result {
  return value === undefined ? new CelError('optional.none() dereference') : value;
}

/** `o.optMap(v, f(v))`: transforms the value of an optional; `optFlatMap` if the transformation returns an optional. */
function mapMacro(name: 'optMap' | 'optFlatMap'): Macro {
  return {
    name,
    argCount: 2,
    member: true,
    expand(builder, [variable, transform], target) {
      if (variable === undefined || transform === undefined || target === undefined) return undefined;
      if (variable.kind !== 'ident')
        return new MacroError(variable.id, `${name}() variable name must be a simple identifier`);
      const hasValue = builder.memberCall('hasValue', target);
      const bound = bind(builder, variable.name, target, transform);
      const mapped = name === 'optMap' ? builder.call('optional.of', bound) : bound;
      return builder.call('_?_:_', hasValue, mapped, builder.call('optional.none'));
    },
  };
}

/** A loop over nothing, whose accumulator is the value. */
function bind(builder: MacroBuilder, name: string, target: Expr, result: Expr): Expr {
  return builder.comprehension({
    range: builder.list(),
    iterVar: '#unused',
    accuVar: name,
    init: builder.memberCall('value', builder.copy(target)),
    condition: builder.constant(false),
    step: builder.ident(name),
    result,
  });
}

/** Optional values. Their syntax is a separate option of the environment. */
export function optionalLibrary(): Library {
  return {
    name: 'optional',
    functions,
    macros: [mapMacro('optMap'), mapMacro('optFlatMap')],
    types: [optionalType(dynType)],
  };
}
