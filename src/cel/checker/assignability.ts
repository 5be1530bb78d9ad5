import { dynType, sameType, type Type } from '../types/type.ts';
import type { Substitutions } from './substitutions.ts';

/** Whether a value of one type is assignable to the other type; binds type parameters. */
export function isAssignable(subs: Substitutions, to: Type, from: Type): boolean {
  return subs.attempt(() => assignable(subs, to, from));
}

/** The same for lists of types: all or none. */
export function areAssignable(subs: Substitutions, to: readonly Type[], from: readonly Type[]): boolean {
  return subs.attempt(() => allAssignable(subs, to, from));
}

function allAssignable(subs: Substitutions, to: readonly Type[], from: readonly Type[]): boolean {
  return (
    to.length === from.length &&
    to.every((type, index) => {
      const other = from[index];
      return other !== undefined && assignable(subs, type, other);
    })
  );
}

function assignable(subs: Substitutions, t1: Type, t2: Type): boolean {
  if (t2.kind === 'typeParam') {
    const { valid, bound } = substitutable(subs, t1, t2);
    if (valid) return true;
    if (bound) return false;
  }
  if (t1.kind === 'typeParam') return substitutable(subs, t2, t1).valid;
  if (isDynOrError(t1) || isDynOrError(t2)) return true;
  if (t1.kind === 'null') return isNullable(t2);
  if (t2.kind === 'null') return isNullable(t1);
  if (t1.kind !== t2.kind) return false;
  if (t1.kind === 'type') return true;
  return t1.name === t2.name && allAssignable(subs, t1.params, t2.params);
}

/** Whether the type parameter t2 can be bound to t1, and whether it already is. */
function substitutable(subs: Substitutions, t1: Type, t2: Type): { valid: boolean; bound: boolean } {
  if (t1.kind === t2.kind && sameType(t1, t2)) return { valid: true, bound: true };
  const bound = subs.find(t2);
  if (bound === undefined) {
    if (subs.occursIn(t2, t1)) return { valid: false, bound: false };
    subs.bind(t2, t1);
    return { valid: true, bound: false };
  }
  if (sameType(t1, bound)) return { valid: true, bound: true };
  if (!assignable(subs, t1, bound)) return { valid: false, bound: true };
  const general = mostGeneral(t1, bound);
  if (!subs.occursIn(t2, general)) subs.bind(t2, general);
  return { valid: true, bound: true };
}

export function isDynOrError(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function isNullable(type: Type): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(type.kind);
}

/** The more general type, if one is assignable to the other. */
function mostGeneral(t1: Type, t2: Type): Type {
  return isEqualOrLessSpecific(t1, t2) ? t1 : t2;
}

function isEqualOrLessSpecific(t1: Type, t2: Type): boolean {
  if (t1.kind === 'dyn' || t1.kind === 'typeParam') return true;
  if (t2.kind === 'dyn' || t2.kind === 'typeParam') return false;
  if (t1.kind !== t2.kind) return false;
  if (t1.kind === 'type') return true;
  if (t1.name !== t2.name || t1.params.length !== t2.params.length) return false;
  return t1.params.every((param, index) => {
    const other = t2.params[index];
    return other !== undefined && isEqualOrLessSpecific(param, other);
  });
}

/** The most general type of two elements of a literal; dyn if they have none in common. */
export function joinTypes(substitutions: Substitutions, previous: Type | undefined, current: Type): Type {
  if (previous === undefined) return current;
  if (isAssignable(substitutions, previous, current)) return mostGeneral(previous, current);
  return dynType;
}
