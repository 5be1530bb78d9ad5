import { countRange, emptySortedMap, type SortedMap } from '../entries/sorted-map.ts';
import { ArrayCursor, firstFrom, type KeyCursor, TreeCursor } from './key-cursor.ts';

/** Longer lists of keys become trees; trees that shrink to a quarter of this become lists again. */
const listKeysMax = 32;
const treeKeysMin = listKeysMax / 4;

/** Many keys, in a tree owned by one copy of an index: other copies share it and must not write to it. */
export class KeyTree {
  readonly keys: SortedMap<undefined>;
  readonly owner: object;

  constructor(keys: SortedMap<undefined>, owner: object) {
    this.keys = keys;
    this.owner = owner;
  }
}

/**
 * The keys of the entries with one value, in order: a single key as itself, a few as an immutable list, many as a
 * tree. Most values of a field such as an e-mail address have one entry, and should not cost an array.
 */
export type Posting = string | readonly string[] | KeyTree;

/** The posting with a new key. */
export function withKey(posting: Posting | undefined, key: string, owner: object): Posting {
  if (posting === undefined) return key;
  if (typeof posting === 'string') return key < posting ? [key, posting] : [posting, key];
  if (posting instanceof KeyTree) {
    const own = ownTree(posting, owner);
    own.keys.set(key, undefined);
    return own;
  }
  const at = firstFrom(posting, key);
  const keys = [...posting.slice(0, at), key, ...posting.slice(at)];
  return keys.length > listKeysMax ? treeOf(keys, owner) : keys;
}

/** The posting without one of its keys; undefined if that was the last one. */
export function withoutKey(posting: Posting, key: string, owner: object): Posting | undefined {
  if (typeof posting === 'string') return posting === key ? undefined : posting;
  if (posting instanceof KeyTree) {
    const own = ownTree(posting, owner);
    own.keys.delete(key);
    return own.keys.size > treeKeysMin ? own : listed(own);
  }
  const rest = posting.filter((one) => one !== key);
  return rest.length === 1 ? rest[0] : rest;
}

/** The number of keys from `start` (included) to `end` (excluded). */
export function countKeys(posting: Posting, start: string, end: string): number {
  if (typeof posting === 'string') return posting >= start && posting < end ? 1 : 0;
  if (posting instanceof KeyTree) return countRange(posting.keys, start, end);
  return Math.max(0, firstFrom(posting, end) - firstFrom(posting, start));
}

/** Iterates over the keys from `start` (included) to `end` (excluded). */
export function cursorOver(posting: Posting, start: string, end: string): KeyCursor {
  if (posting instanceof KeyTree) return new TreeCursor(posting.keys, start, end);
  return new ArrayCursor(typeof posting === 'string' ? [posting] : posting, start, end);
}

function ownTree(tree: KeyTree, owner: object): KeyTree {
  return tree.owner === owner ? tree : new KeyTree(tree.keys.clone(), owner);
}

function treeOf(keys: readonly string[], owner: object): KeyTree {
  const map = emptySortedMap<undefined>();
  for (const key of keys) map.set(key, undefined);
  return new KeyTree(map, owner);
}

function listed({ keys }: KeyTree): readonly string[] {
  const list: string[] = [];
  const [first, last] = [keys.minKey(), keys.maxKey()];
  if (first === undefined || last === undefined) return list;
  keys.forRange(first, last, true, (key) => {
    list.push(key);
    return undefined;
  });
  return list;
}
