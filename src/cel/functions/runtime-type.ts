import type { Type } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { typeNameOf } from '../values/type-name.ts';
import type { Result } from '../values/value.ts';

/**
 * Whether a value has a type by cel-go's dispatch rules: of lists and maps only the first element is tested.
 */
export function isOfType(value: Result, type: Type): boolean {
  if (isAnything(type)) return !isError(value);
  if (isError(value) || typeNameOf(value) !== type.name) return false;
  const [first, second] = type.params;
  if (first === undefined) return true;
  if (value instanceof CelList) return isAnything(first) || value.size === 0 || isOfType(value.at(0), first);
  if (!(value instanceof CelMap) || second === undefined) return true;
  if (isAnything(first) && isAnything(second)) return true;
  const [key] = value.keys();
  return key === undefined || (isOfType(key, first) && isOfType(value.find(key) ?? null, second));
}

function isAnything({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'typeParam';
}
