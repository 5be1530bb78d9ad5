import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { typeNameOf } from '../values/type-name.ts';
import type { Result, Value } from '../values/value.ts';
import type { Type } from '../types/type.ts';
import type { Param } from './param.ts';

/** The implementation of a function, for values that are not errors. */
export type Implementation = (...args: Value[]) => Result;

/** One signature of a function. */
export interface Overload {
  /** cel-go's id: cost tables and checked references use it. */
  readonly id: string;
  /** Whether it has a target, which is then its first argument. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** The type parameters in the signature. */
  readonly typeParams: readonly string[];
  /** Whether it accepts values of these types; selects the overload for dyn arguments. */
  accepts(args: readonly Value[]): boolean;
  readonly call: Implementation;
}

/** A function with all its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The form of cel-go's message if no overload matches: with the types (default), the name, or neither. */
  readonly mismatch?: 'name' | 'nothing';
  /** Whether cel-go treats it as a variadic function, which stops at the first failing operand. */
  readonly isVariadic?: boolean;
}

type Values<P extends readonly Param<Value>[]> = { [K in keyof P]: P[K] extends Param<infer V> ? V : never };

/** Declares `name(args)`. */
export function globalOverload<const P extends readonly Param<Value>[]>(
  id: string,
  params: P,
  result: Type,
  implementation: (...args: Values<P>) => Result,
): Overload {
  return overload({ id, member: false, result }, params, implementation);
}

/** Declares `target.name(args)`, the target being the first parameter. */
export function memberOverload<const P extends readonly Param<Value>[]>(
  id: string,
  params: P,
  result: Type,
  implementation: (...args: Values<P>) => Result,
): Overload {
  return overload({ id, member: true, result }, params, implementation);
}

function overload<const P extends readonly Param<Value>[]>(
  head: Pick<Overload, 'id' | 'member' | 'result'>,
  params: P,
  implementation: (...args: Values<P>) => Result,
): Overload {
  const args = params.map((param) => param.type);
  const accepts = (values: readonly Value[]): boolean =>
    values.length === params.length && params.every((param, index) => param.is(values[index] ?? null));
  // `accepts` has checked every value against its parameter, which the compiler cannot infer through the tuple.
  const call: Implementation = (...values) =>
    accepts(values) ? implementation(...(values as Values<P>)) : noSuchOverload;
  return { ...head, args, typeParams: typeParamsOf([...args, head.result]), accepts, call };
}

function typeParamsOf(types: readonly Type[]): string[] {
  const names = new Set<string>();
  const visit = (type: Type): void => {
    if (type.kind === 'typeParam') names.add(type.name);
    type.params.forEach(visit);
  };
  types.forEach(visit);
  return [...names];
}

/** An overload known to the checker that evaluators treat specially (`&&`, `?:`, `==`, indexing). */
export function builtInOverload(id: string, args: readonly Type[], result: Type, member = false): Overload {
  const typeParams = typeParamsOf([...args, result]);
  return { id, member, args, result, typeParams, accepts: () => false, call: () => noSuchOverload };
}

/** Dispatches at run time: for calls that the checker could not resolve to one overload. */
export function dispatch(declaration: FunctionDeclaration, member: boolean, args: readonly Value[]): Result {
  for (const candidate of declaration.overloads) {
    if (candidate.member === member && candidate.accepts(args)) return candidate.call(...args);
  }
  const { name, mismatch } = declaration;
  if (mismatch === 'nothing') return noSuchOverload;
  if (mismatch === 'name') return new CelError(`no such overload: ${name}`);
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

/** Merges declarations by name: overloads of a later library are added, those with the same id replaced. */
export function mergeFunctions(
  declarations: Iterable<FunctionDeclaration>,
): Map<string, FunctionDeclaration> {
  const byName = new Map<string, FunctionDeclaration>();
  for (const declaration of declarations) {
    const before = byName.get(declaration.name)?.overloads ?? [];
    const kept = before.filter((old) => !declaration.overloads.some((overload) => overload.id === old.id));
    byName.set(declaration.name, { ...declaration, overloads: [...kept, ...declaration.overloads] });
  }
  return byName;
}
