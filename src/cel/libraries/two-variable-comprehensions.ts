import type { Expr } from '../ast/expression.ts';
import { type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { any, map } from '../functions/param.ts';
import { iterationVariable, type Macro, type MacroBuilder, MacroError } from '../parser/macro.ts';
import { foldAll, foldExists, foldExistsOne } from '../parser/macros/quantifiers.ts';
import { mapType, typeParam } from '../types/type.ts';
import { type CelError, isError } from '../values/cel-error.ts';
import { GrowingMap } from '../values/growing-map.ts';
import { type CelMap, keyIdentity } from '../values/map.ts';
import type { Result, Value } from '../values/value.ts';
import type { Library } from './library.ts';

const k = typeParam('K');
const v = typeParam('V');

/** Returns a growable copy, unless the map is growable already. */
function growing(target: CelMap): GrowingMap | CelError {
  if (target instanceof GrowingMap) return target;
  const entries = new Map<unknown, readonly [Value, Value]>();
  for (const key of target.keys()) {
    const value = target.find(key) ?? null;
    if (isError(value)) return value;
    entries.set(keyIdentity(key), [key, value]);
  }
  return new GrowingMap(entries);
}

function insert(target: CelMap, key: Value, value: Value): GrowingMap | CelError {
  const grown = growing(target);
  return isError(grown) ? grown : grown.insert(key, value, String(key));
}

function insertAll(target: CelMap, update: CelMap): Result {
  let grown: GrowingMap | CelError = growing(target);
  for (const key of update.keys()) {
    const value = update.find(key) ?? null;
    if (isError(value)) return value;
    if (isError(grown)) return grown;
    grown = insert(grown, key, value);
  }
  return grown;
}

const mapInsert: FunctionDeclaration = {
  name: 'cel.@mapInsert',
  overloads: [
    globalOverload('@mapInsert_map_key_value', [map(k, v), any(k), any(v)], mapType(k, v), insert),
    globalOverload('@mapInsert_map_map', [map(k, v), map(k, v)], mapType(k, v), insertAll),
  ],
};

interface Variables {
  readonly iterVar: string;
  readonly iterVar2: string;
}

function variablesOf(first: Expr, second: Expr): Variables | MacroError {
  const notAName = 'argument must be a simple name';
  if (first.kind !== 'ident') return new MacroError(first.id, notAName);
  if (second.kind !== 'ident') return new MacroError(second.id, notAName);
  if (first.name === second.name) return new MacroError(second.id, `duplicate variable name: ${first.name}`);
  const iterVar = iterationVariable(first, notAName);
  if (iterVar instanceof MacroError) return iterVar;
  const iterVar2 = iterationVariable(second, notAName);
  return iterVar2 instanceof MacroError ? iterVar2 : { iterVar, iterVar2 };
}

type Fold = ReturnType<typeof foldAll>;

/** A macro with a range and two variables: index and element of a list, or key and value of a map. */
function twoVariableMacro(
  name: string,
  argCount: 3 | 4,
  fold: (builder: MacroBuilder, variables: Variables, rest: readonly Expr[]) => Fold,
): Macro {
  return {
    name,
    argCount,
    member: true,
    expand(builder, [first, second, ...rest], range) {
      if (first === undefined || second === undefined || range === undefined) return undefined;
      const variables = variablesOf(first, second);
      if (variables instanceof MacroError) return variables;
      return builder.comprehension({ range, ...variables, ...fold(builder, variables, rest) });
    },
  };
}

function quantifier(name: string, fold: (builder: MacroBuilder, predicate: Expr) => Fold): Macro {
  return twoVariableMacro(name, 3, (builder, _, [predicate]) =>
    fold(builder, predicate ?? builder.constant(null)),
  );
}

/** Both forms of an accumulating macro: with and without a filter. */
function transformMacros(
  name: string,
  init: (builder: MacroBuilder) => Expr,
  add: (builder: MacroBuilder, variables: Variables, transform: Expr) => Expr,
): Macro[] {
  const macro = (argCount: 3 | 4): Macro =>
    twoVariableMacro(name, argCount, (builder, variables, rest) => {
      const transform = rest.at(-1) ?? builder.constant(null);
      const filter = rest.length > 1 ? rest[0] : undefined;
      // The step is built first, because cel-go numbers nodes in this order.
      const added = add(builder, variables, transform);
      const step = filter === undefined ? added : builder.call('_?_:_', filter, added, builder.accu());
      return { init: init(builder), condition: builder.constant(true), step, result: builder.accu() };
    });
  return [macro(3), macro(4)];
}

const macros: readonly Macro[] = [
  quantifier('all', foldAll),
  quantifier('exists', foldExists),
  quantifier('existsOne', foldExistsOne),
  quantifier('exists_one', foldExistsOne),
  ...transformMacros(
    'transformList',
    (builder) => builder.list(),
    (builder, _, transform) => builder.call('_+_', builder.accu(), builder.list(transform)),
  ),
  ...transformMacros(
    'transformMap',
    (builder) => builder.map(),
    (builder, { iterVar }, transform) =>
      builder.call('cel.@mapInsert', builder.accu(), builder.ident(iterVar), transform),
  ),
  ...transformMacros(
    'transformMapEntry',
    (builder) => builder.map(),
    (builder, _, transform) => builder.call('cel.@mapInsert', builder.accu(), transform),
  ),
];

/** cel-go's ext.TwoVarComprehensions. */
export function twoVariableComprehensions(): Library {
  return { name: 'two-variable comprehensions', functions: [mapInsert], macros };
}
