import {
  equal,
  type FieldError,
  invalid,
  isObject,
  type JsonValue,
  type KubeObject,
  own,
  required,
} from '../../meta/index.ts';
import { oneOf, supported } from './field-checks.ts';

/** A rule about one field, for what can be said without code: a row beside the kind's description. */
export interface FieldRule {
  /** Names of fields with dots between them: `spec.controller`. */
  readonly path: string;
  /** The field must be there and not empty. */
  readonly required?: true;
  /** The values that it may have. */
  readonly oneOf?: readonly string[];
  /** An update must not change it. */
  readonly immutable?: true;
}

/** The errors of an object by the rules that need no old object, in the order of the rules. */
export function fieldRuleErrors(rules: readonly FieldRule[], object: KubeObject): FieldError[] {
  return rules.flatMap(({ path, required: isRequired, oneOf: choices }) => {
    const value = valueAt(object, path);
    if (choices !== undefined) {
      return isRequired ? oneOf(path, value, choices) : supported(path, value, choices);
    }
    return isRequired && (value === undefined || value === '') ? [required(path)] : [];
  });
}

/** The errors of an update, in the order of the rules. */
export function fieldChangeErrors(
  rules: readonly FieldRule[],
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  return rules.flatMap(({ path, immutable }) => {
    const value = valueAt(object, path);
    if (immutable !== true || equal(value, valueAt(old, path))) return [];
    return [invalid(path, value ?? null, 'field is immutable')];
  });
}

function valueAt(object: KubeObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), object);
}
