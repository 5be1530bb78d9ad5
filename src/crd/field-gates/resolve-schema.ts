import {
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownString,
  put,
} from '../../meta/index.ts';
import { objectsOf } from '../spec-view.ts';
import { compileFieldGates } from './compile-field-gates.ts';
import { type GateState, resolveRuleText } from './gated-rule-text.ts';

/** Enum values that apply only while a gate is on: `[{featureGate, values}]`. */
export const enumGatesKeyword = 'x-kubernetes-enum-feature-gates';

const rulesKeyword = 'x-kubernetes-validations';
const schemaMaps = ['properties', 'patternProperties', 'definitions'];
const schemaLists = ['allOf', 'anyOf', 'oneOf'];
const schemas = ['items', 'additionalProperties', 'not', 'x-kubernetes-property-names'];

/**
 * Resolves the gates in a schema: rules and enum values whose gate is off are removed, and rules that ask for gates
 * get the answers. All code that serves objects uses this schema. Returns the same schema if it names no gate.
 *
 * @param stateOf for a gate that it does not know, rules and values stay unchanged
 */
export function resolveSchema(schema: JsonObject, stateOf: GateState): JsonObject {
  let resolved: JsonObject | undefined;
  const set = (key: string, value: JsonValue | undefined) => {
    if (value === own(schema, key)) return;
    resolved ??= { ...schema };
    if (value === undefined) delete resolved[key];
    else put(resolved, key, value);
  };
  const inside = (value: JsonValue) => (isObject(value) ? resolveSchema(value, stateOf) : value);
  for (const key of Object.keys(schema)) {
    const value = own(schema, key);
    if (schemaMaps.includes(key) && isObject(value)) set(key, mapValues(value, inside));
    else if (schemaLists.includes(key) && Array.isArray(value)) set(key, mapItems(value, inside));
    else if (schemas.includes(key) && isObject(value)) set(key, resolveSchema(value, stateOf));
    else if (key === rulesKeyword && Array.isArray(value)) set(key, resolveRules(value, stateOf));
  }
  if (Object.hasOwn(schema, enumGatesKeyword)) {
    set('enum', valuesThatCount(schema, stateOf));
    set(enumGatesKeyword, undefined);
  }
  return resolved ?? schema;
}

function mapValues(map: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  let changed: JsonObject | undefined;
  for (const key of Object.keys(map)) {
    const value = own(map, key) ?? null;
    const result = change(value);
    if (result === value) continue;
    changed ??= { ...map };
    put(changed, key, result);
  }
  return changed ?? map;
}

function mapItems(list: JsonValue[], change: (value: JsonValue) => JsonValue): JsonValue[] {
  const changed = list.map(change);
  return changed.every((value, index) => value === list[index]) ? list : changed;
}

function resolveRules(rules: JsonValue[], stateOf: GateState): JsonValue[] {
  const counting = rules.filter((rule) => {
    const gate = isObject(rule) ? ownString(rule, 'featureGate') : undefined;
    return gate === undefined || stateOf(gate) !== false;
  });
  const resolved = mapItems(counting, (rule) => (isObject(rule) ? resolveRule(rule, stateOf) : rule));
  return resolved.length === rules.length && resolved.every((rule, index) => rule === rules[index])
    ? rules
    : resolved;
}

function resolveRule(rule: JsonObject, stateOf: GateState): JsonObject {
  const resolved = { ...rule };
  delete resolved['featureGate'];
  for (const field of ['rule', 'messageExpression']) {
    const source = ownString(rule, field);
    if (source !== undefined) resolved[field] = resolveRuleText(source, stateOf);
  }
  if (equal(resolved, rule)) return rule;
  const isSilent = (ownString(rule, 'message') ?? '') === '' && rule['messageExpression'] === undefined;
  // The message of a failed rule that has none of its own shows the rule as the author wrote it.
  if (isSilent && resolved['rule'] !== rule['rule']) {
    resolved['message'] = `failed rule: ${(ownString(rule, 'rule') ?? '').trim()}`;
  }
  return resolved;
}

function valuesThatCount(schema: JsonObject, stateOf: GateState): JsonValue[] | undefined {
  const gates = objectsOf(schema, enumGatesKeyword);
  const off = gates.filter((gate) => stateOf(ownString(gate, 'featureGate') ?? '') === false);
  const values = off.flatMap((gate) => ownList(gate, 'values') ?? []);
  const all = ownList(schema, 'enum');
  if (all === undefined || values.length === 0) return all;
  return all.filter((value) => !values.some((other) => equal(value, other)));
}

/** The gate states of a spec, for {@link resolveSchema}. */
export function gateStatesOf(spec: JsonObject): GateState {
  const states = new Map((compileFieldGates(spec)?.gates ?? []).map(({ name, enabled }) => [name, enabled]));
  return (name) => states.get(name);
}
