import { goJson, isObject, type JsonValue, own } from '../meta/index.ts';

/**
 * The order of a merged list: the items that the patch names in its order, the others in the order that they had. An
 * item of the patch comes before one of the server, unless both were there in the other order. Source: apimachinery,
 * strategicpatch, normalizeElementOrder.
 */
export function orderElements(
  merged: readonly JsonValue[],
  { patch, original, mergeKey }: ElementOrder,
): JsonValue[] {
  const identity = (item: JsonValue) =>
    goJson(mergeKey !== undefined && isObject(item) ? (own(item, mergeKey) ?? null) : item);
  const inPatch = placesOf(patch.map(identity));
  const inOriginal = placesOf(original.map(identity));
  const placeIn = (places: ReadonlyMap<string, number>, item: JsonValue) => places.get(identity(item));
  const named = merged.filter((item) => placeIn(inPatch, item) !== undefined);
  const others = merged.filter((item) => placeIn(inPatch, item) === undefined);
  named.sort((a, b) => (placeIn(inPatch, a) ?? 0) - (placeIn(inPatch, b) ?? 0));
  const ordered: JsonValue[] = [];
  let next = 0;
  for (const other of others) {
    const place = placeIn(inOriginal, other) ?? -1;
    while (next < named.length && !(place < (placeIn(inOriginal, named[next] ?? null) ?? -1))) {
      ordered.push(named[next] ?? null);
      next += 1;
    }
    ordered.push(other);
  }
  return [...ordered, ...named.slice(next)];
}

interface ElementOrder {
  /** The items of the patch, or of its `$setElementOrder`. */
  readonly patch: readonly JsonValue[];
  /** The list before the patch. */
  readonly original: readonly JsonValue[];
  /** Absent for lists of scalars. */
  readonly mergeKey: string | undefined;
}

/** The first place of each item. */
function placesOf(identities: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, identity] of identities.entries()) {
    if (!places.has(identity)) places.set(identity, index);
  }
  return places;
}
