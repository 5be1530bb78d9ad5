import { isObject, type JsonObject, type JsonValue, own, ownList, ownObject } from '../meta/index.ts';

const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const singles = ['not', 'additionalProperties', 'additionalItems', 'x-kubernetes-property-names'];

/** Every schema directly inside a schema, in any keyword that can hold one. */
export function* schemasInside(schema: JsonObject): Generator<JsonObject> {
  const items = own(schema, 'items');
  yield* schemasAmong(Array.isArray(items) ? items : [items ?? null]);
  for (const field of lists) yield* schemasAmong(ownList(schema, field) ?? []);
  for (const field of maps) yield* schemasAmong(Object.values(ownObject(schema, field) ?? {}));
  for (const field of singles) yield* schemasAmong([own(schema, field) ?? null]);
}

function* schemasAmong(values: readonly JsonValue[]): Generator<JsonObject> {
  for (const value of values) if (isObject(value)) yield value;
}

/** A schema and every schema below it. */
export function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...schemasInside(next));
  }
}
