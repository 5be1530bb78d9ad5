import { contains, type SortRange } from './key-order.ts';

interface Group<T> {
  readonly range: SortRange;
  readonly members: Set<T>;
}

/** The keys from `start` to the start of the next segment, all covered by the same groups. */
interface Segment<T> {
  readonly start: string;
  readonly groups: Set<Group<T>>;
}

/**
 * Finds the members interested in a key: O(log n) to find the segment, then only its members.
 *
 * The boundaries of all ranges cut the key space into segments; each knows the ranges that cover it. Members of equal
 * ranges share one entry, so a thousand watches of one prefix cost as much as one. Adding or removing a range touches
 * the segments it covers.
 */
export class RangeIndex<T> {
  readonly #groups = new Map<string, Group<T>>();
  readonly #segments: Segment<T>[] = [{ start: '', groups: new Set() }];
  /** How many groups begin or end at a segment's start. */
  readonly #boundaries = new Map<string, number>();

  add(range: SortRange, member: T): void {
    if (range.start >= range.end) return;
    const id = groupId(range);
    const known = this.#groups.get(id);
    if (known !== undefined) {
      known.members.add(member);
      return;
    }
    const group = { range, members: new Set([member]) };
    this.#groups.set(id, group);
    this.#raise(range.start);
    this.#raise(range.end);
    for (const segment of this.#covered(range)) segment.groups.add(group);
  }

  delete(range: SortRange, member: T): void {
    const id = groupId(range);
    const group = this.#groups.get(id);
    if (!group?.members.delete(member) || group.members.size > 0) return;
    this.#groups.delete(id);
    for (const segment of this.#covered(range)) segment.groups.delete(group);
    this.#lower(range.start);
    this.#lower(range.end);
  }

  /** The sets of members whose range contains a key; the same set for every key of the same range. */
  *at(key: string): Iterable<ReadonlySet<T>> {
    const segment = this.#segments[this.#find(key)];
    if (segment === undefined) return;
    for (const group of segment.groups) if (contains(group.range, key)) yield group.members;
  }

  /** The last segment that starts at or before a key. */
  #find(key: string): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle]?.start ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  *#covered(range: SortRange): Iterable<Segment<T>> {
    for (let index = this.#find(range.start); index < this.#segments.length; index++) {
      const segment = this.#segments[index];
      if (segment === undefined || segment.start >= range.end) return;
      yield segment;
    }
  }

  #raise(boundary: string): void {
    const uses = this.#boundaries.get(boundary) ?? 0;
    this.#boundaries.set(boundary, uses + 1);
    const index = this.#find(boundary);
    const segment = this.#segments[index];
    if (segment === undefined || segment.start === boundary) return;
    this.#segments.splice(index + 1, 0, { start: boundary, groups: new Set(segment.groups) });
  }

  /** Without its last boundary a segment is covered as the one before it is, and becomes part of it. */
  #lower(boundary: string): void {
    const uses = (this.#boundaries.get(boundary) ?? 0) - 1;
    if (uses > 0) {
      this.#boundaries.set(boundary, uses);
      return;
    }
    this.#boundaries.delete(boundary);
    if (boundary !== '') this.#segments.splice(this.#find(boundary), 1);
  }
}

/** NUL is in no key and at most at the end of a bound, so the concatenation is unambiguous. */
const groupId = (range: SortRange): string => `${range.start.length}\0${range.start}\0${range.end}`;
