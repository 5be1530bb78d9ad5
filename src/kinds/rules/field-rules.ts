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
  /** Names of fields with dots between them: `spec.controller`. */
  readonly path: string;
  /** The field must be there and not empty; a text is the detail of the error. */
  readonly required?: true | string;
  /** The values that it may have. */
  readonly oneOf?: readonly string[];
  /** A number must not be below zero. */
  readonly min?: 0;
  /** A number must be above zero. */
  readonly above?: 0;
  /** An update must not change it; a text is the detail of an error that forbids the change. */
  readonly immutable?: true | string;
}

/** A rule of a kind: a row, or code for what no row can say. */
export type KindRule = FieldRule | ((object: KubeObject) => readonly FieldError[]);

/** The errors of an object by the rules that need no old object, in the order of the rules. */
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
