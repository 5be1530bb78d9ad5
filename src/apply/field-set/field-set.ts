import type { JsonObject } from '../../meta/index.ts';
import { type Path, type PathElement, pathDisplay, sortElements } from './path-element.ts';

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** Loads the children of a node; there is at least one. */
type ReadChildren = () => ReadonlyMap<PathElement, FieldSet>;

/**
 * A set of field paths, as a tree: what a manager owns. Immutable. Operations share unchanged nodes and return the
 * same set if nothing changes.
 *
 * A node has a flag whether its own path is in the set (`owned`), and children. Owning a path does not include the
 * paths below it, and owning a path below does not include its parent. The root is never owned.
 * Invariant: no node in `children` is empty.
 */
export class FieldSet {
  readonly owned: boolean;
  /** The FieldsV1 document that this node was read from, if the node would be encoded to exactly that document. */
  readonly document: JsonObject | undefined;
  #children: ReadonlyMap<PathElement, FieldSet> | ReadChildren;

  private constructor(
    owned: boolean,
    children: ReadonlyMap<PathElement, FieldSet> | ReadChildren,
    document: JsonObject | undefined = undefined,
  ) {
    this.owned = owned;
    this.document = document;
    this.#children = children;
  }

  /** The children by step. Loaded from the document on first use: most nodes of a large set are never read. */
  get children(): ReadonlyMap<PathElement, FieldSet> {
    if (typeof this.#children === 'function') this.#children = this.#children();
    return this.#children;
  }

  static readonly empty = new FieldSet(false, noChildren);
  /** A node that is in the set and has no children. */
  static readonly leaf = new FieldSet(true, noChildren);

  /** Makes a node from its parts. The caller must leave out empty children. */
  static node(
    owned: boolean,
    children: ReadonlyMap<PathElement, FieldSet>,
    document?: JsonObject | undefined,
  ): FieldSet {
    if (children.size > 0) return new FieldSet(owned, children, document);
    return owned ? FieldSet.leaf : FieldSet.empty;
  }

  /** A node whose children are loaded on first use. */
  static unread(owned: boolean, document: JsonObject, read: ReadChildren): FieldSet {
    return new FieldSet(owned, read, document);
  }

  /** The set of these paths. */
  static of(...paths: readonly Path[]): FieldSet {
    return paths.reduce((set, path) => set.union(chain(path)), FieldSet.empty);
  }

  get isEmpty(): boolean {
    return !this.owned && this.hasNoChildren;
  }

  /** True if the set has no path at or below this node. */
  get hasNoChildren(): boolean {
    return typeof this.#children !== 'function' && this.#children.size === 0;
  }

  /** The child for a step; undefined if there is none. */
  child(element: PathElement): FieldSet | undefined {
    return this.children.get(element);
  }

  has(path: Path): boolean {
    let node: FieldSet | undefined = this;
    for (const element of path) node = node?.children.get(element);
    return path.length > 0 && node !== undefined && node.owned;
  }

  /** The same node, with its own path in the set or not. */
  withOwned(owned: boolean): FieldSet {
    return owned === this.owned ? this : FieldSet.node(owned, this.children);
  }

  union(other: FieldSet): FieldSet {
    if (this === other || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const changes = new Changes(this.children);
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      changes.set(element, ours, ours === undefined ? theirs : ours.union(theirs));
    }
    return this.#with(this.owned || other.owned, changes);
  }

  /** The paths that are in both sets. */
  intersection(other: FieldSet): FieldSet {
    if (this === other) return this;
    const [small, large] = this.children.size <= other.children.size ? [this, other] : [other, this];
    const children = new Map<PathElement, FieldSet>();
    for (const [element, node] of small.children) {
      const twin = large.children.get(element);
      const both = twin === undefined ? FieldSet.empty : node.intersection(twin);
      if (!both.isEmpty) children.set(element, both);
    }
    return FieldSet.node(this.owned && other.owned, children);
  }

  /** The paths that are not in the other set. A path stays if only its parent or a path below it is removed. */
  difference(other: FieldSet): FieldSet {
    return this.#minus(other, (ours, theirs) => ours.difference(theirs));
  }

  /** Like {@link difference}, but removing a path removes everything below it. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#minus(other, (ours, theirs) =>
      theirs.owned ? FieldSet.empty : ours.recursiveDifference(theirs),
    );
  }

  /** Only the paths that have no path below them in the set. */
  leaves(): FieldSet {
    if (this.hasNoChildren) return this;
    const changes = new Changes(this.children);
    for (const [element, node] of this.children) changes.set(element, node, node.leaves());
    return this.#with(false, changes);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.owned !== other.owned || this.children.size !== other.children.size) return false;
    for (const [element, node] of this.children) {
      const twin = other.children.get(element);
      if (twin === undefined || !node.equals(twin)) return false;
    }
    return true;
  }

  /** True if every path of this set is in the other. */
  isWithin(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.owned && !other.owned) return false;
    for (const [element, node] of this.children) {
      const twin = other.children.get(element);
      if (twin === undefined || !node.isWithin(twin)) return false;
    }
    return true;
  }

  /** All paths in upstream's order: the owned steps of a level, then the children of each. */
  paths(): Path[] {
    const found: Path[] = [];
    collect(this, [], found);
    return found;
  }

  /** The paths in order, as conflict messages print them. */
  toText(): string[] {
    return this.paths().map(pathDisplay);
  }

  #minus(other: FieldSet, minus: (ours: FieldSet, theirs: FieldSet) => FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const changes = new Changes(this.children);
    if (other.children.size <= this.children.size) {
      for (const [element, theirs] of other.children) {
        const ours = this.children.get(element);
        if (ours !== undefined) changes.set(element, ours, minus(ours, theirs));
      }
    } else {
      for (const [element, ours] of this.children) {
        const theirs = other.children.get(element);
        if (theirs !== undefined) changes.set(element, ours, minus(ours, theirs));
      }
    }
    return this.#with(this.owned && !other.owned, changes);
  }

  #with(owned: boolean, changes: Changes): FieldSet {
    if (owned === this.owned && changes.none) return this;
    return FieldSet.node(owned, changes.children);
  }
}

/** A map of children that is copied on the first change. */
class Changes {
  readonly #original: ReadonlyMap<PathElement, FieldSet>;
  #copy: Map<PathElement, FieldSet> | undefined;

  constructor(original: ReadonlyMap<PathElement, FieldSet>) {
    this.#original = original;
  }

  get none(): boolean {
    return this.#copy === undefined;
  }

  get children(): ReadonlyMap<PathElement, FieldSet> {
    return this.#copy ?? this.#original;
  }

  set(element: PathElement, before: FieldSet | undefined, after: FieldSet): void {
    if (before === after) return;
    this.#copy ??= new Map(this.#original);
    if (after.isEmpty) this.#copy.delete(element);
    else this.#copy.set(element, after);
  }
}

function chain(path: Path): FieldSet {
  if (path.length === 0) return FieldSet.empty;
  return path.reduceRight(
    (below, element) => FieldSet.node(false, new Map([[element, below]])),
    FieldSet.leaf,
  );
}

function collect(set: FieldSet, prefix: Path, found: Path[]): void {
  const elements = sortElements(set.children.keys());
  for (const element of elements) {
    if (set.children.get(element)?.owned === true) found.push([...prefix, element]);
  }
  for (const element of elements) {
    const child = set.children.get(element);
    if (child !== undefined) collect(child, [...prefix, element], found);
  }
}
