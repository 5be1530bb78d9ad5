import {
  declared,
  equal,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  notSupported,
  own,
  required,
  stringList,
  tooLong,
} from '../../meta/index.ts';
import { invalidAs, oneOf, supported } from './field-checks.ts';

/** A rule about one field that needs no code: a row beside the kind's description. */
export interface FieldRule {
  /** The path of the field, from the object or the item that has the rules: `spec.controller`. */
  readonly path: string;
  /** The field is required and must not be empty; a text is the detail of the error. */
  readonly required?: true | string;
  /** The field is required and may be empty: a pointer in Go. */
  readonly present?: true;
  /** The allowed values. */
  readonly oneOf?: readonly string[];
  /** The allowed values of each text in a list. */
  readonly itemsOneOf?: readonly string[];
  /** Checks a text that is not empty; each result is the detail of an error. */
  readonly check?: (text: string) => readonly string[];
  /** The maximum length of a text in UTF-8 bytes. */
  readonly maxBytes?: number;
  /** The minimum of a number. */
  readonly min?: number;
  /** A number must be greater than this. */
  readonly above?: 0;
  /** The maximum of a number. */
  readonly max?: number;
  /** The minimum and maximum of a number. */
  readonly range?: readonly [min: number, max: number];
  /** The detail of errors about numbers, if upstream's differs from the usual one. */
  readonly says?: string;
  /** An update must not change the field; a text is the detail of a `forbidden` error. */
  readonly immutable?: true | string;
  /** The path in errors about changes, if upstream's differs. */
  readonly changePath?: string;
  /** True if upstream declares the rule on the type; see {@link declared}. */
  readonly declared?: true;
}

/** A rule of a kind: a row, or a function for what rows cannot express. */
export type KindRule = FieldRule | ((object: KubeObject) => readonly FieldError[]);

/** A rule of the items of a list, or of a nested object. Functions get its path. */
export type ItemRule = FieldRule | ((item: JsonObject, path: string) => readonly FieldError[]);

/** The errors of an object, in the order of the rules; without the rules about changes. */
export function fieldRuleErrors(rules: readonly KindRule[], object: KubeObject): FieldError[] {
  return rules.flatMap((rule) =>
    typeof rule === 'function' ? rule(object) : errorsOfRow(rule, valueAt(object, rule.path), rule.path),
  );
}

/** The errors of an item or a nested object at a path, in the order of the rules. */
export function itemRuleErrors(rules: readonly ItemRule[], item: JsonObject, path: string): FieldError[] {
  return rules.flatMap((rule) =>
    typeof rule === 'function'
      ? rule(item, path)
      : errorsOfRow(rule, valueAt(item, rule.path), `${path}.${rule.path}`),
  );
}

/** {@link itemRuleErrors} as a function of the item, for the items of a list. */
export function checkBy(rules: readonly ItemRule[]) {
  return (item: JsonObject, path: string) => itemRuleErrors(rules, item, path);
}

function errorsOfRow(rule: FieldRule, value: JsonValue | undefined, path: string): FieldError[] {
  const errors = rowErrors(rule, value, path);
  return rule.declared === true ? errors.map(declared) : errors;
}

function rowErrors(rule: FieldRule, value: JsonValue | undefined, path: string): FieldError[] {
  if (rule.present === true && (value === undefined || value === null)) return [required(path)];
  if (rule.oneOf !== undefined) {
    return rule.required === undefined ? supported(path, value, rule.oneOf) : oneOf(path, value, rule.oneOf);
  }
  if (rule.required !== undefined && isEmpty(value))
    return [required(path, rule.required === true ? '' : rule.required)];
  if (rule.itemsOneOf !== undefined) return unsupportedItems(path, value, rule.itemsOneOf);
  if (typeof value === 'string') return textErrors(rule, value, path);
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const detail = numberMistake(rule, Number(value));
  return detail === undefined ? [] : [invalid(path, Number(value), rule.says ?? detail)];
}

function unsupportedItems(
  path: string,
  value: JsonValue | undefined,
  choices: readonly string[],
): FieldError[] {
  const others = stringList(value).filter((item) => !choices.includes(item));
  return others.map((item) => notSupported(path, item, choices));
}

function textErrors({ check, maxBytes }: FieldRule, value: string, path: string): FieldError[] {
  if (maxBytes !== undefined && Buffer.byteLength(value) > maxBytes) return [tooLong(path, maxBytes)];
  return check === undefined || value === '' ? [] : invalidAs(path, value, check);
}

function numberMistake({ min, above, max, range }: FieldRule, number: number): string | undefined {
  if (min !== undefined && number < min) return `must be greater than or equal to ${min}`;
  if (above !== undefined && number <= above) return `must be greater than ${above}`;
  if (max !== undefined && number > max) return `must not be greater than ${max}`;
  if (range === undefined || (number >= range[0] && number <= range[1])) return undefined;
  return `must be between ${range[0]} and ${range[1]}, inclusive`;
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
    const { path, immutable, changePath = path } = rule;
    const value = valueAt(object, path);
    if (equal(value, valueAt(old, path))) return [];
    const error =
      immutable === true
        ? invalid(changePath, value ?? null, 'field is immutable')
        : forbidden(changePath, immutable);
    return [rule.declared === true ? declared(error) : error];
  });
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), object);
}
