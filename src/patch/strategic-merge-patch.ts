import { orderElements } from './element-order.ts';
import type { ListType, MergeType } from '../apply/index.ts';
import {
  atOnce,
  clone,
  copyInSteps,
  equal,
  goJson,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
  type Steps,
} from '../meta/index.ts';

/** An invalid strategic merge patch. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
}

const directiveKey = '$patch';
const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';
const retainKey = '$retainKeys';

/**
 * Applies a strategic merge patch: like a JSON merge patch, but lists whose items have keys (and sets) merge item by
 * item, and directives select other behaviour: `$patch: delete|replace|merge`, `$deleteFromPrimitiveList/<field>`,
 * `$setElementOrder/<field>`, `$retainKeys`. The target does not change.
 * Source: k8s.io/apimachinery, pkg/util/strategicpatch.
 *
 * @throws {StrategicPatchError} for an unknown directive or an item without its key
 */
export function applyStrategicMergePatch(target: JsonObject, patch: JsonObject, type: MergeType): JsonObject {
  return atOnce(applyStrategicMergePatchInSteps(target, patch, type));
}

/** {@link applyStrategicMergePatch}, in steps. */
export function applyStrategicMergePatchInSteps(
  target: JsonObject,
  patch: JsonObject,
  type: MergeType,
): Steps<JsonObject> {
  return mergeMapInSteps(target, patch, type);
}

/** So many members of a patch are applied in one step. */
const membersInStep = 1_024;

function mergeMap(target: JsonObject, patch: JsonObject, type: MergeType | undefined): JsonObject {
  return atOnce(mergeMapInSteps(target, patch, type));
}

function* mergeMapInSteps(
  target: JsonObject,
  patch: JsonObject,
  type: MergeType | undefined,
): Steps<JsonObject> {
  const directive = own(patch, directiveKey);
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicPatchError(`unrecognized patch directive: ${goJson(directive)}`);
  }
  const result = retained(yield* copyInSteps(target), own(patch, retainKey));
  for (const [index, key] of Object.keys(patch).entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    if (isDirective(key)) continue;
    const value = own(patch, key) ?? null;
    if (isObject(value)) yield* mergeObject(result, key, value, typeOfField(type, key));
    else mergeField(result, key, value, type);
  }
  applyPrimitiveDeletions(result, patch);
  applyOrders(result, { target, patch, type });
  return result;
}

function isDirective(key: string): boolean {
  return (
    key === directiveKey || key === retainKey || key.startsWith(deletePrefix) || key.startsWith(orderPrefix)
  );
}

function retained(target: JsonObject, keys: JsonValue | undefined): JsonObject {
  if (!Array.isArray(keys)) return target;
  for (const key of Object.keys(target)) if (!keys.includes(key)) delete target[key];
  return target;
}

function* mergeObject(
  result: JsonObject,
  key: string,
  patch: JsonObject,
  type: MergeType | undefined,
): Steps<void> {
  const present = own(result, key);
  if (own(patch, directiveKey) === 'delete') delete result[key];
  else put(result, key, yield* mergeMapInSteps(isObject(present) ? present : {}, patch, type));
}

function mergeField(result: JsonObject, key: string, value: JsonValue, type: MergeType | undefined): void {
  if (value === null) {
    delete result[key];
    return;
  }
  const present = own(result, key);
  const fieldType = typeOfField(type, key);
  if (Array.isArray(value) && Array.isArray(present)) {
    put(result, key, mergeList(present, value, fieldType?.list));
  } else if (Array.isArray(value)) {
    put(result, key, mergeList([], value, fieldType?.list));
  } else {
    put(result, key, value);
  }
}

function typeOfField(type: MergeType | undefined, key: string): MergeType | undefined {
  return type?.map?.fields.get(key)?.type ?? type?.map?.element;
}

function mergeList(
  present: readonly JsonValue[],
  patch: readonly JsonValue[],
  type: ListType | undefined,
): JsonValue[] {
  const [mergeKey] = type?.keys ?? [];
  if (type?.relationship !== 'associative') return patch.map((item) => withoutItemDirectives(item));
  if (mergeKey === undefined) return mergeSet(present, patch);
  return mergeKeyed(present, patch, { mergeKey, element: type.element });
}

function mergeSet(present: readonly JsonValue[], patch: readonly JsonValue[]): JsonValue[] {
  const added = patch.filter((item) => !present.some((one) => equal(one, item)));
  const merged = [...present, ...added.map((item) => clone(item))];
  return orderElements(merged, { patch, original: present, mergeKey: undefined });
}

function mergeKeyed(
  present: readonly JsonValue[],
  patch: readonly JsonValue[],
  { mergeKey, element }: { mergeKey: string; element: MergeType },
): JsonValue[] {
  const replaceAll = patch.some((item) => isObject(item) && own(item, directiveKey) === 'replace');
  let result: JsonValue[] = replaceAll ? [] : [...present];
  for (const item of patch) {
    if (!isObject(item))
      throw new StrategicPatchError('an item of a list that merges by key is not an object');
    if (own(item, directiveKey) === 'replace' && Object.keys(item).length === 1) continue;
    const key = own(item, mergeKey);
    if (key === undefined) {
      throw new StrategicPatchError(`map: ${goJson(item)} does not contain declared merge key: ${mergeKey}`);
    }
    const hasKey = (one: JsonValue) => isObject(one) && equal(own(one, mergeKey), key);
    if (own(item, directiveKey) === 'delete') result = result.filter((one) => !hasKey(one));
    else result = putItem(result, result.findIndex(hasKey), { item, element });
  }
  const items = patch.filter((item) => !isObject(item) || !Object.hasOwn(item, directiveKey));
  return orderElements(result, { patch: items, original: present, mergeKey });
}

function putItem(
  list: JsonValue[],
  index: number,
  { item, element }: { item: JsonObject; element: MergeType },
): JsonValue[] {
  const present = list[index];
  if (!isObject(present)) return [...list, mergeMap({}, item, element)];
  return list.with(index, mergeMap(present, item, element));
}

/** `$deleteFromPrimitiveList/finalizers: [a]` removes `a` from `finalizers`. */
function applyPrimitiveDeletions(result: JsonObject, patch: JsonObject): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(deletePrefix)) continue;
    const field = key.slice(deletePrefix.length);
    const [list, gone] = [own(result, field), own(patch, key)];
    if (!Array.isArray(list) || !Array.isArray(gone)) continue;
    put(
      result,
      field,
      list.filter((item) => !gone.some((one) => equal(one, item))),
    );
  }
}

interface Ordering {
  readonly target: JsonObject;
  readonly patch: JsonObject;
  readonly type: MergeType | undefined;
}

/** `$setElementOrder/containers: [{name: a}, {name: b}]` orders the named items. */
function applyOrders(result: JsonObject, { target, patch, type }: Ordering): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const field = key.slice(orderPrefix.length);
    const [list, order, before] = [own(result, field), own(patch, key), own(target, field)];
    if (!Array.isArray(list) || !Array.isArray(order)) continue;
    const [mergeKey] = typeOfField(type, field)?.list?.keys ?? [];
    const original = Array.isArray(before) ? before : [];
    put(result, field, orderElements(list, { patch: order, original, mergeKey }));
  }
}

/** A value that replaces as a whole still loses its directives. */
function withoutDirectives(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(patch)) {
    if (!isDirective(key)) put(result, key, clone(own(patch, key) ?? null));
  }
  return result;
}

function withoutItemDirectives(item: JsonValue): JsonValue {
  return isObject(item) ? withoutDirectives(item) : clone(item);
}
