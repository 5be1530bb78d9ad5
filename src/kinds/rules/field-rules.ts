import {
  equal,
  type FieldError,
  forbidden,
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
  /** The path of the field: `spec.controller`. */
  readonly path: string;
  /** The field is required and must not be empty; a text is the detail of the error. */
  readonly required?: true | string;
  /** The allowed values. */
  readonly oneOf?: readonly string[];
  /** The minimum of a number. */
  readonly min?: 0;
  /** A number must be greater than this. */
  readonly above?: 0;
  /** An update must not change the field; a text is the detail of a `forbidden` error. */
  readonly immutable?: true | string;
}

/** A rule of a kind: a row, or a function for what rows cannot express. */
export type KindRule = FieldRule | ((object: KubeObject) => readonly FieldError[]);

/** The errors of an object, in the order of the rules; without the rules about changes. */
export function fieldRuleErrors(rules: readonly KindRule[], object: KubeObject): FieldError[] {
  return rules.flatMap((rule) =>
    typeof rule === 'function' ? rule(object) : rowErrors(rule, valueAt(object, rule.path)),
  );
}

function rowErrors(rule: FieldRule, value: JsonValue | undefined): FieldError[] {
  const { path, oneOf: choices, min, above } = rule;
  const isRequired = rule.required !== undefined;
  if (choices !== undefined) {
    return isRequired ? oneOf(path, value, choices) : supported(path, value, choices);
  }
  if (isRequired && isEmpty(value)) return [required(path, rule.required === true ? '' : rule.required)];
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const number = Number(value);
  if (min !== undefined && number < min) return [invalid(path, number, 'must be greater than or equal to 0')];
  return above !== undefined && number <= above ? [invalid(path, number, 'must be greater than 0')] : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The errors of an update, in the order of the rules. */
export function fieldChangeErrors(
  rules: readonly KindRule[],
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  return rules.flatMap((rule) => {
    if (typeof rule === 'function' || rule.immutable === undefined) return [];
    const { path, immutable } = rule;
    const value = valueAt(object, path);
    if (equal(value, valueAt(old, path))) return [];
    if (immutable !== true) return [forbidden(path, immutable)];
    return [invalid(path, value ?? null, 'field is immutable')];
  });
}

function valueAt(object: KubeObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), object);
}
