import { isObject, type JsonValue, own } from '../../meta/index.ts';

/** Whether there is something at a path: `.spec.color`, `.spec.pools[*].size` (in any item or entry). */
export function holdsField(value: JsonValue, fieldPath: string): boolean {
  return holds(value, fieldPath.replaceAll('[*]', '.*').split('.').slice(1));
}

function holds(value: JsonValue | undefined, [step, ...rest]: readonly string[]): boolean {
  if (value === undefined) return false;
  if (step === undefined) return true;
  if (step === '*' && (Array.isArray(value) || isObject(value))) {
    return Object.values(value).some((item) => holds(item, rest));
  }
  return isObject(value) && holds(own(value, step), rest);
}
