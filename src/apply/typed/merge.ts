import { equal, isObject, type JsonObject, type JsonValue, own, put, type Steps } from '../../meta/index.ts';
import { membersInStep, stepsDepthMax } from './everything.ts';
import { itemElement } from './list-item.ts';
import { deducedType, entryType, kindOf, type ListType, type MapType, type MergeType } from './merge-type.ts';
import { elementText, type PathElement } from '../field-set/path-element.ts';
import { TypedError } from './typed-error.ts';

/**
 * Merges a configuration into a live value. Nothing is removed. Scalars and atomic containers take the
 * configuration's value; null or an empty container does not replace a container with content.
 *
 * The result shares unchanged parts with `live`, and is `live` itself if the configuration changes nothing.
 *
 * @throws {TypedError} if a keyed list of the configuration has duplicate items.
 * @throws {ListItemError} for an item of an associative list without identity.
 */
export function mergeTyped(type: MergeType, live: JsonValue, configuration: JsonValue): JsonValue {
  switch (kindOf(type, configuration)) {
    case 'map':
      return type.map === undefined ? configuration : mergeMaps(type.map, live, configuration);
    case 'list':
      return type.list === undefined ? configuration : mergeLists(type.list, live, configuration);
    default:
      return configuration;
  }
}

/** {@link mergeTyped}, in steps. */
export function* mergeTypedInSteps(
  type: MergeType,
  live: JsonValue,
  configuration: JsonValue,
  depth = 0,
): Steps<JsonValue> {
  const { map } = type;
  const isPlain =
    map !== undefined && map.relationship !== 'atomic' && isObject(live) && isObject(configuration);
  if (!isPlain || depth > stepsDepthMax) return mergeTyped(type, live, configuration);
  const keys = Object.keys(configuration);
  if (keys.length === 0) return mergeTyped(type, live, configuration);
  let merged: JsonObject | undefined;
  for (const [index, key] of keys.entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    const theirs = configuration[key] ?? null;
    const ours = own(live, key);
    const child = entryType(map, key) ?? deducedType;
    const value =
      ours === undefined
        ? theirs
        : isObject(theirs)
          ? yield* mergeTypedInSteps(child, ours, theirs, depth + 1)
          : mergeTyped(child, ours, theirs);
    if (value === ours) continue;
    merged ??= { ...live };
    put(merged, key, value);
  }
  return merged ?? live;
}

function replace(live: JsonValue, configuration: JsonValue): JsonValue {
  return equal(live, configuration) ? live : configuration;
}

function mergeMaps(type: MapType, live: JsonValue, configuration: JsonValue): JsonValue {
  const left = isObject(live) ? live : {};
  const right = isObject(configuration) ? configuration : {};
  const rightKeys = Object.keys(right);
  const bothEmpty = rightKeys.length === 0 && Object.keys(left).length === 0;
  if (type.relationship === 'atomic' || bothEmpty) return replace(live, configuration);
  let merged: JsonObject | undefined = isObject(live) ? undefined : {};
  for (const key of rightKeys) {
    const theirs = right[key] ?? null;
    const ours = own(left, key);
    const value = ours === undefined ? theirs : mergeTyped(entryType(type, key) ?? deducedType, ours, theirs);
    if (value === ours) continue;
    merged ??= { ...left };
    put(merged, key, value);
  }
  return merged ?? left;
}

function mergeLists(type: ListType, live: JsonValue, configuration: JsonValue): JsonValue {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(configuration) ? configuration : [];
  const bothEmpty = left.length === 0 && right.length === 0;
  if (type.relationship === 'atomic' || bothEmpty) return replace(live, configuration);
  if (right.length === 0) return live;
  const merged = new ListMerge(type, left, right).run();
  const unchanged = merged.length === left.length && merged.every((item, index) => item === left[index]);
  return unchanged ? left : merged;
}

/**
 * Merges two associative lists. Common items are in the configuration's order; items that only live has stay behind
 * their left neighbour: `[a b c d]` with `[d e a]` gives `[b c d e a]`.
 */
class ListMerge {
  readonly #type: ListType;
  readonly #left: readonly JsonValue[];
  readonly #leftSteps: readonly PathElement[];
  readonly #rightSteps: readonly PathElement[];
  /** Live items by step; null for duplicates, which are replaced instead of merged. */
  readonly #ours = new Map<PathElement, JsonValue>();
  readonly #theirs = new Map<PathElement, JsonValue>();
  readonly #placed = new Set<PathElement>();
  readonly #out: JsonValue[] = [];
  /** Items of both lists in the configuration's order; the first one is the next to be placed. */
  #shared: readonly PathElement[] = [];
  #nextShared = 0;

  constructor(type: ListType, left: readonly JsonValue[], right: readonly JsonValue[]) {
    this.#type = type;
    this.#left = left;
    this.#leftSteps = left.map((item) => {
      const element = itemElement(type, item);
      this.#ours.set(element, this.#ours.has(element) ? null : item);
      return element;
    });
    this.#rightSteps = right.map((item) => {
      const element = itemElement(type, item);
      if (this.#theirs.has(element)) {
        throw new TypedError([{ path: '', message: `duplicate entries for key ${elementText(element)}` }]);
      }
      this.#theirs.set(element, item);
      return element;
    });
    this.#shared = this.#rightSteps.filter((element) => this.#ours.has(element));
  }

  run(): JsonValue[] {
    let l = 0;
    let r = 0;
    while (l < this.#leftSteps.length || r < this.#rightSteps.length) {
      const ours = this.#leftSteps[l];
      const theirs = this.#rightSteps[r];
      if (ours !== undefined && ours === theirs) {
        this.#place(theirs);
        this.#nextShared += 1;
        l += 1;
        r += 1;
      } else if (ours !== undefined && theirs !== undefined && this.#waits(ours)) {
        l += 1;
      } else if (ours !== undefined && !this.#theirs.has(ours)) {
        this.#out.push(this.#left[l] ?? null);
        l += 1;
      } else {
        if (ours !== undefined && this.#placed.has(ours)) l += 1;
        if (theirs !== undefined) {
          this.#place(theirs);
          if (theirs === this.#shared[this.#nextShared]) this.#nextShared += 1;
          r += 1;
        }
      }
    }
    return this.#out;
  }

  /** A common item that is not the next one in the configuration's order is placed later. */
  #waits(ours: PathElement): boolean {
    const next = this.#shared[this.#nextShared];
    return this.#theirs.has(ours) && next !== undefined && next !== ours;
  }

  #place(element: PathElement): void {
    this.#placed.add(element);
    const theirs = this.#theirs.get(element) ?? null;
    const ours = this.#ours.get(element);
    this.#out.push(ours === undefined ? theirs : mergeTyped(this.#type.element, ours, theirs));
  }
}
