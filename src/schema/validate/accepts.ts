import { equal, isObject, type JsonObject, type JsonValue, withoutFloat64 } from '../../meta/index.ts';
import { ownResourceErrors } from './embedded-resources.ts';
import type { SchemaNode } from '../schema-node.ts';
import { matchesEnum } from './enum-match.ts';
import { typeMismatch } from './json-type.ts';
import { isDefaultTaken } from './key-default.ts';
import { hasListDuplicates } from './list-types.ts';
import { numberProblems } from './number-rules.ts';
import { runeCount } from './rune-count.ts';
import { hasDuplicates } from './unique-items.ts';

/** Decides whether a value is valid, including list types and embedded resources, without reasons. */
export type Accepts = (value: JsonValue) => boolean;

/**
 * Compiles a schema to predicate closures: nearly every object is valid, and deciding that needs no paths, messages or
 * old object. Invalid values go to {@link explain}.
 *
 * A node's closure is created when a value first reaches it. Objects are walked by their own keys, so that a large
 * schema costs nothing for a small object.
 */
export function compileAccepts(node: SchemaNode): Accepts {
  const slow = compileAny(node);
  if (node.types.length !== 1 || hasBranches(node) || node.enum.some((item) => typeof item !== 'string'))
    return slow;
  switch (node.type) {
    case 'string':
      return compileString(node, slow);
    case 'boolean':
      return (value) => typeof value === 'boolean' || slow(value);
    case 'integer':
      return compileInteger(node, slow);
    case 'object':
      return compileObjectOnly(node, slow);
    case 'array':
      return compileListOnly(node, slow);
    default:
      return slow;
  }
}

/** A lazily compiled predicate. */
function whenNeeded(node: SchemaNode): Accepts {
  let compiled: Accepts | undefined;
  return (value) => {
    compiled ??= compileAccepts(node);
    return compiled(value);
  };
}

function hasBranches(node: SchemaNode): boolean {
  return node.allOf.length + node.anyOf.length + node.oneOf.length + node.not.length > 0;
}

const always = () => true;

function compileString(node: SchemaNode, slow: Accepts): Accepts {
  const rules = compileStringRules(node);
  if (rules === undefined && node.enum.length === 0)
    return (value) => typeof value === 'string' || slow(value);
  const allowed = node.enum.length === 0 ? undefined : new Set<JsonValue>(node.enum);
  return (value) => {
    if (typeof value !== 'string') return slow(value);
    return (allowed === undefined || allowed.has(value)) && (rules === undefined || rules(value));
  };
}

function compileStringRules(node: SchemaNode): ((text: string) => boolean) | undefined {
  const { maxLength, minLength, pattern, acceptsFormat } = node;
  const rules: ((text: string) => boolean)[] = [];
  // A string has at most as many characters as UTF-16 units, and at least half as many.
  if (maxLength !== undefined) rules.push((text) => text.length <= maxLength || runeCount(text) <= maxLength);
  if (minLength !== undefined)
    rules.push((text) => text.length >= 2 * minLength || runeCount(text) >= minLength);
  if (pattern !== undefined) rules.push((text) => pattern.test(text));
  if (acceptsFormat !== undefined) rules.push(acceptsFormat);
  const [first, second] = rules;
  if (first === undefined) return undefined;
  if (second === undefined) return first;
  if (rules.length === 2) return (text) => first(text) && second(text);
  return (text) => rules.every((rule) => rule(text));
}

/** Safe integers within safe bounds are compared directly; other numbers take the slow path. */
function compileInteger(node: SchemaNode, slow: Accepts): Accepts {
  const bounds = [node.minimum, node.maximum].filter((bound) => bound !== undefined);
  if (node.multipleOf !== undefined || node.enum.length > 0 || !bounds.every(Number.isSafeInteger))
    return slow;
  const narrow = node.format === 'int32';
  const minimum = node.minimum ?? (narrow ? -(2 ** 31) : Number.MIN_SAFE_INTEGER);
  const maximum = node.maximum ?? (narrow ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER);
  return (value) => {
    const plain =
      typeof value === 'number' && value > minimum && value < maximum && Number.isSafeInteger(value);
    return (plain && (!narrow || value === (value | 0))) || slow(value);
  };
}

function compileObjectOnly(node: SchemaNode, slow: Accepts): Accepts {
  const acceptsObject = compileObject(node);
  if (node.enum.length > 0) return slow;
  return (value) => (isObject(value) ? acceptsObject(value) : slow(value));
}

function compileListOnly(node: SchemaNode, slow: Accepts): Accepts {
  const acceptsList = compileList(node);
  if (node.enum.length > 0) return slow;
  return (value) => (Array.isArray(value) ? acceptsList(value) : slow(value));
}

/** The keywords for values of any type. */
function compileAny(node: SchemaNode): Accepts {
  const stringRules = compileStringRules(node) ?? always;
  const acceptsList = compileList(node);
  const acceptsObject = compileObject(node);
  const acceptsBranches = compileBranches(node);
  const acceptsOwnType = (raw: JsonValue): boolean => {
    const value = withoutFloat64(raw);
    if (typeof value === 'string') return stringRules(value);
    if (typeof value === 'number' || typeof value === 'bigint')
      return numberProblems(node, value).length === 0;
    if (Array.isArray(value)) return acceptsList(value);
    return !isObject(value) || acceptsObject(value);
  };
  return (value) => {
    if (typeMismatch(node, value) !== undefined) return false;
    if (node.enum.length > 0 && !matchesEnum(value, node.enum)) return false;
    return value === null || (acceptsOwnType(value) && acceptsBranches(value));
  };
}

/** The usual spelling of int-or-string, which its types already imply. */
function isIntOrStringPattern(node: SchemaNode): boolean {
  const spelledOut = [{ type: 'integer' }, { type: 'string' }];
  return node.intOrString && equal(node.raw['anyOf'], spelledOut);
}

function compileBranches(node: SchemaNode): Accepts {
  if (!hasBranches(node)) return always;
  const allOf = node.allOf.map(whenNeeded);
  const anyOf = node.anyOf.map(whenNeeded);
  const skipsAnyOf = isIntOrStringPattern(node);
  const oneOf = node.oneOf.map(whenNeeded);
  const not = node.not.map(whenNeeded);
  return (value) => {
    if (!allOf.every((accepts) => accepts(value))) return false;
    const skipped = skipsAnyOf && (typeof value === 'string' || Number.isSafeInteger(value));
    if (!skipped && anyOf.length > 0 && !anyOf.some((accepts) => accepts(value))) return false;
    if (oneOf.length > 0 && oneOf.filter((accepts) => accepts(value)).length !== 1) return false;
    return !not.some((accepts) => accepts(value));
  };
}

function compileList(node: SchemaNode): (list: JsonValue[]) => boolean {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = node;
  const acceptsItem = items === undefined ? undefined : whenNeeded(items);
  const isTyped = node.listType === 'map' || node.listType === 'set';
  return (list) => {
    const { length } = list;
    if (length < minItems || length > maxItems) return false;
    if (acceptsItem !== undefined) {
      for (let index = 0; index < length; index += 1) if (!acceptsItem(list[index] ?? null)) return false;
    }
    if (isTyped && hasListDuplicates(node, list)) return false;
    return !uniqueItems || !hasDuplicates(list);
  };
}

/** Checks required keys; names that plain objects inherit need an own-property check. */
function compileRequired(required: readonly string[]): (object: JsonObject) => boolean {
  const inherited = required.filter((name) => name in Object.prototype);
  const plain = required.filter((name) => !(name in Object.prototype));
  return (object) => {
    for (const name of plain) if (object[name] === undefined) return false;
    return inherited.length === 0 || inherited.every((name) => Object.hasOwn(object, name));
  };
}

function compileObject(node: SchemaNode): (object: JsonObject) => boolean {
  const acceptsKey = compileKeys(node);
  const acceptsSize = compileSize(node);
  const hasRequired = compileRequired(node.required);
  const { embeddedResource } = node;
  const children = new Map<string, Accepts>();
  let acceptsOther: Accepts | undefined;
  const childOf = (key: string): Accepts => {
    const property = node.properties.get(key);
    if (property === undefined) {
      acceptsOther ??= compileOther(node);
      return acceptsOther;
    }
    const accepts = compileAccepts(property);
    children.set(key, accepts);
    return accepts;
  };
  return (object) => {
    for (const key in object) {
      // Enumerates own keys: inherited properties are not enumerable, so reading a key returns the user's value.
      const accepts = children.get(key) ?? childOf(key);
      if (!accepts(object[key] ?? null)) return false;
      if (acceptsKey !== undefined && !acceptsKey(key)) return false;
    }
    if (!hasRequired(object) || (acceptsSize !== undefined && !acceptsSize(object))) return false;
    return !embeddedResource || ownResourceErrors(object).length === 0;
  };
}

function compileOther(node: SchemaNode): Accepts {
  if (node.additionalProperties !== undefined) return compileAccepts(node.additionalProperties);
  return node.forbidsOtherKeys ? () => false : always;
}

function compileSize({
  minProperties,
  maxProperties,
}: SchemaNode): ((object: JsonObject) => boolean) | undefined {
  if (minProperties === undefined && maxProperties === undefined) return undefined;
  return (object) => {
    const size = Object.keys(object).length;
    return size >= (minProperties ?? 0) && size <= (maxProperties ?? size);
  };
}

function compileKeys({ propertyNames }: SchemaNode): ((key: string) => boolean) | undefined {
  if (propertyNames === undefined) return undefined;
  const accepts = compileAccepts(propertyNames);
  const keyDefault = propertyNames.default;
  return (key) => !isDefaultTaken(keyDefault, key) && accepts(key);
}
