import type { Environment } from '../environment.ts';
import type { Overload } from '../functions/function.ts';
import * as t from '../types/type.ts';
import type { Type } from '../types/type.ts';
import { leavesOf } from './random-leaves.test-support.ts';
import { macroTemplates } from './random-macros.test-support.ts';

/** Seeded random numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A comprehension variable in scope. */
interface Variable {
  readonly name: string;
  readonly type: Type;
}

/** A function with one of its signatures. */
interface Signature {
  readonly name: string;
  readonly overload: Overload;
}

/** The bindings of type parameters. */
type Bound = Map<string, Type>;

const scalars = [
  t.boolType,
  t.intType,
  t.uintType,
  t.doubleType,
  t.stringType,
  t.bytesType,
  t.timestampType,
  t.durationType,
];
const keyTypes = [t.stringType, t.intType, t.boolType, t.uintType];

/** Not writable as calls: macros expand to them, or a template writes them. */
const unsayable = new Set(['@not_strictly_false', '@sortByAssociatedKeys', 'cel.@mapInsert', '_?._']);

/**
 * Generates random well-typed expressions over `self` with the fields of random-data.test-support.ts: every overload of
 * an environment, macros, literals, fields.
 */
export class RandomExpressions {
  readonly #random: () => number;
  readonly #signatures: readonly Signature[];
  #turn = 0;

  constructor(environment: Environment, random: () => number) {
    this.#random = random;
    this.#signatures = [...environment.functions.values()]
      .filter(({ name }) => !unsayable.has(name))
      .flatMap(({ name, overloads }) => overloads.map((overload) => ({ name, overload })))
      .filter(({ overload }) => [...overload.args, overload.result].every(isWritable));
  }

  /** An expression of this depth: mostly calls, each overload in turn. */
  next(depth: number): string {
    if (this.#random() < 0.25) return this.#of(this.#pick([...scalars, this.#anyType()]), depth, []);
    const signature = this.#signatures[this.#turn++ % this.#signatures.length];
    return signature === undefined ? 'true' : this.#call(signature, new Map(), depth, []);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** A type for which expressions exist. */
  #anyType(depth = 1): Type {
    const chance = this.#random();
    if (depth === 0 || chance < 0.7) return this.#pick(scalars);
    if (chance < 0.85) return t.listType(this.#anyType(depth - 1));
    if (chance < 0.95) return t.mapType(this.#pick(keyTypes), this.#anyType(depth - 1));
    return t.optionalType(this.#anyType(depth - 1));
  }

  #of(wanted: Type, depth: number, scope: readonly Variable[]): string {
    const type = this.#withoutDyn(wanted);
    const names = scope.filter((variable) => t.sameType(variable.type, type)).map(({ name }) => name);
    const leaves = [...leavesOf(type, (inner) => this.#of(inner, 0, scope)), ...names, ...names];
    if (depth <= 0 || this.#random() < 0.2) return this.#pick(leaves);
    const templates = macroTemplates.filter(({ result }) => unify(result, type, new Map()));
    if (templates.length > 0 && this.#random() < 0.3) {
      const { result, text } = this.#pick(templates);
      const bound: Bound = new Map();
      unify(result, type, bound);
      return this.#fill(text, bound, depth - 1, scope);
    }
    const calls = this.#signatures.filter(({ overload }) => unify(overload.result, type, new Map()));
    if (calls.length === 0) return this.#pick(leaves);
    const call = this.#pick(calls);
    const bound: Bound = new Map();
    unify(call.overload.result, type, bound);
    return this.#call(call, bound, depth, scope);
  }

  #call({ name, overload }: Signature, bound: Bound, depth: number, scope: readonly Variable[]): string {
    const args = overload.args.map((arg) => this.#of(this.#resolved(arg, bound), depth - 1, scope));
    return written(name, overload.member, args);
  }

  /** Any expression. */
  #withoutDyn(type: Type): Type {
    if (type.kind === 'dyn') return this.#anyType();
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((param) => this.#withoutDyn(param)) };
  }

  /** Replaces unbound type parameters by types; keys get a key type. */
  #resolved(type: Type, bound: Bound): Type {
    if (type.kind === 'typeParam') {
      const known = bound.get(type.name) ?? this.#anyType();
      bound.set(type.name, known);
      return known;
    }
    if (type.params.length === 0) return type;
    const [first] = type.params;
    if (type.kind === 'map' && first?.kind === 'typeParam' && !bound.has(first.name))
      bound.set(first.name, this.#pick(keyTypes));
    return { ...type, params: type.params.map((param) => this.#resolved(param, bound)) };
  }

  /**
   * Fills `{bool}` with a bool, `{T}` with the binding of T, and `{bool|$x: T}` with a bool that may use a variable x
   * of type T.
   */
  #fill(text: string, bound: Bound, depth: number, scope: readonly Variable[]): string {
    const prefix = `v${scope.length}`;
    const named = text.replace(/\$(\w)/g, (_, letter: string) => `${prefix}${letter}`);
    return named.replace(/\{([^{}|]+)(?:\|([^{}]+))?\}/g, (_, type: string, variables = '') => {
      const inner = [...variables.matchAll(/(\w+): (\w+)/g)].map(([, name = '', of = '']) => ({
        name,
        type: this.#resolved(typeNamed(of), bound),
      }));
      return this.#of(this.#resolved(typeNamed(type), bound), depth, [...scope, ...inner]);
    });
  }
}

/** A type in template syntax: `bool`, `T`, `list(T)`, `map(K, T)`, `optional(T)`. */
function typeNamed(text: string): Type {
  const [, outer, inner] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  if (outer === 'list') return t.listType(typeNamed(inner ?? ''));
  if (outer === 'optional') return t.optionalType(typeNamed(inner ?? ''));
  if (outer === 'map') {
    const [key = '', value = ''] = (inner ?? '').split(', ');
    return t.mapType(typeNamed(key), typeNamed(value));
  }
  return scalars.find(({ kind }) => kind === text) ?? t.typeParam(text);
}

/** Whether expressions of a type can be generated at all: not for authorizers. */
function isWritable(type: Type): boolean {
  return !type.name.startsWith('kubernetes.authorization.') && type.params.every(isWritable);
}

/** Whether the parameterized type can match the wanted one; returns the bindings. */
function unify(type: Type, wanted: Type, bound: Bound): boolean {
  if (type.kind === 'typeParam') {
    const known = bound.get(type.name);
    if (known === undefined) bound.set(type.name, wanted);
    return known === undefined || t.sameType(known, wanted);
  }
  if (type.kind !== wanted.kind || type.name !== wanted.name) return false;
  return type.params.every((param, index) => {
    const other = wanted.params[index];
    return other !== undefined && unify(param, other, bound);
  });
}

/** A call in CEL syntax. */
function written(name: string, member: boolean, args: readonly string[]): string {
  const [first = '', second = '', third = ''] = args;
  if (name === '_?_:_') return `(${first} ? ${second} : ${third})`;
  if (name === '_[_]') return `${first}[${second}]`;
  if (name === '_[?_]') return `${first}[?${second}]`;
  if (name === '@in') return `(${first} in ${second})`;
  if (/^[!-]_$/.test(name)) return `${name[0]}(${first})`;
  if (/^_.+_$/.test(name)) return `(${first} ${name.slice(1, -1)} ${second})`;
  if (!member) return `${name}(${args.join(', ')})`;
  return `(${first}).${name}(${args.slice(1).join(', ')})`;
}
