import { goJson, type JsonValue } from '../../meta/index.ts';

/** The identity of a set item: itself for scalars, canonical JSON for lists and objects. */
function identity(item: JsonValue): JsonValue {
  // A prefix that no scalar has distinguishes `"{}"` and `{}`.
  if (typeof item === 'object' && item !== null) return `\0${goJson(item)}`;
  return typeof item === 'string' ? `s${item}` : item;
}

/** The indices of duplicate items. */
export function duplicateIndices(items: readonly JsonValue[]): number[] {
  if (items.length <= 1) return [];
  const counts = new Map<JsonValue, number>();
  const found: number[] = [];
  for (const [index, item] of items.entries()) {
    const key = identity(item);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count === 1) found.push(index);
  }
  return found;
}

const pairwiseMax = 8;

/** True if two items are equal. Short lists of scalars, the usual case, need no map. */
export function hasDuplicates(items: readonly JsonValue[]): boolean {
  if (items.length > pairwiseMax || items.some((item) => typeof item === 'object')) {
    return duplicateIndices(items).length > 0;
  }
  for (let index = 1; index < items.length; index += 1) {
    const item = items[index];
    for (let before = 0; before < index; before += 1) if (items[before] === item) return true;
  }
  return false;
}
