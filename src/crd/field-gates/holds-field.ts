import { isObject, type JsonValue, own } from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';
import { gatedSteps } from './gated-path.ts';

/**
 * True if an object has a value at a path of `fieldPaths`: `.spec.color`, `.spec.pools[*].size` (in any item or
 * entry).
 */
export function holdsField(value: JsonValue, fieldPath: string): boolean {
  const steps = gatedSteps(fieldPath);
  return steps !== undefined && holds(value, steps);
}

function holds(value: JsonValue | undefined, [step, ...rest]: FieldSteps): boolean {
  if (value === undefined) return false;
  if (step === undefined) return true;
  if (step === everyEntry && (Array.isArray(value) || isObject(value))) {
    return Object.values(value).some((item) => holds(item, rest));
  }
  return isObject(value) && holds(own(value, step), rest);
}
