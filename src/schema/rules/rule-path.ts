import { FieldPath } from '../../meta/index.ts';
import { parseRuleFieldPath } from '../check/rule-field-path.ts';
import type { SchemaNode } from '../schema-node.ts';

/** The path of a value; undefined for the root of an object. */
export type RulePath = FieldPath | undefined;

export function fieldBelow(path: RulePath, name: string): FieldPath {
  return path === undefined ? FieldPath.of(name) : path.child(name);
}

export function entryBelow(path: RulePath, key: string): FieldPath {
  return path === undefined ? FieldPath.of(`[${key}]`) : path.key(key);
}

export function itemBelow(path: RulePath, index: number): FieldPath {
  return path === undefined ? FieldPath.of(`[${index}]`) : path.index(index);
}

/** Resolves a rule's `fieldPath`: `.spec['a.b']` below `x` is `x.spec.a.b`, an entry of a map `[key]`. */
export function ruleFieldPath(path: RulePath, fieldPath: string, schema: SchemaNode): RulePath {
  const names = fieldPath === '' ? [] : parseRuleFieldPath(fieldPath);
  let relative: RulePath;
  let at: SchemaNode | undefined = schema;
  for (const name of names ?? []) {
    if (at === undefined) return path;
    const isField: boolean = at.properties.size > 0;
    if (isField && !at.properties.has(name)) return path;
    relative = isField ? fieldBelow(relative, name) : entryBelow(relative, name);
    at = isField ? at.properties.get(name) : at.additionalProperties;
  }
  return relative === undefined ? path : fieldBelow(path, relative.toString());
}
