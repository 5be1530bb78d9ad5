import { FieldSet } from '../field-set/field-set.ts';
import { deducedType, entryType, type MapType, type MergeType, untypedAtomicType } from './merge-type.ts';
import { fieldNameOf, isKeyElement, type PathElement } from '../field-set/path-element.ts';

/**
 * Adapts a set that was written under an older schema to the current type: if a container has become atomic, owners
 * of something inside it own the whole container. The reverse is impossible: the owner of an atomic container that
 * became granular keeps only its path. Returns the same set if nothing changes.
 */
export function alignWithType(set: FieldSet, type: MergeType): FieldSet {
  if (aligned.get(set) === type) return set;
  const result = alignChildren(set, type);
  noteAligned(result, type);
  return result;
}

const aligned = new WeakMap<FieldSet, MergeType>();

/** Called with a set that needs no alignment: telling this of a large set need not decode it. */
export function noteAligned(set: FieldSet, type: MergeType): void {
  if (set.hasNoChildren) return;
  aligned.set(set, type);
}

function align(node: FieldSet, type: MergeType): FieldSet {
  if (node.hasNoChildren) return node;
  if (type.map !== undefined) {
    if (isUntypedMap(type.map)) return node;
    if (type.map.relationship === 'atomic') return FieldSet.leaf;
  } else if (type.scalar === undefined && type.list?.relationship === 'atomic') {
    return FieldSet.leaf;
  }
  return alignChildren(node, type);
}

function alignChildren(node: FieldSet, type: MergeType): FieldSet {
  if (!hasAtomic(type)) return node;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of node.children) {
    if (child.hasNoChildren) continue;
    const below = typeBelow(type, element);
    const aligned = below === undefined ? child : align(child, below);
    if (aligned === child) continue;
    children ??= new Map(node.children);
    children.set(element, aligned);
  }
  return children === undefined ? node : FieldSet.node(node.owned, children);
}

const known = new WeakMap<MergeType, boolean>();

/** True if anything below a type may be atomic; otherwise sets need not be decoded. */
function hasAtomic(type: MergeType): boolean {
  let found = known.get(type);
  if (found === undefined) {
    found = findsAtomic(type, new Set());
    known.set(type, found);
  }
  return found;
}

/** @param seen the types already visited: types may be recursive */
function findsAtomic(type: MergeType, seen: Set<MergeType>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  const { map, list, scalar } = type;
  const below: (MergeType | undefined)[] = [];
  if (map !== undefined && !isUntypedMap(map)) {
    below.push(map.element, ...[...map.fields.values()].map((field) => field.type));
  }
  if (scalar === undefined) below.push(list?.element);
  return below.some((inner) => inner !== undefined && (isAtomic(inner) || findsAtomic(inner, seen)));
}

function isAtomic({ map, list }: MergeType): boolean {
  return map?.relationship === 'atomic' || list?.relationship === 'atomic';
}

/** The type's first kind decides, as everywhere without a value. */
function typeBelow(type: MergeType, element: PathElement): MergeType | undefined {
  if (type.map !== undefined) {
    const name = fieldNameOf(element);
    return name === undefined ? type.map.element : entryType(type.map, name);
  }
  return type.scalar === undefined ? type.list?.element : undefined;
}

/** In maps without declared fields whose entries may be anything, atomic and granular do not apply. */
function isUntypedMap(map: MapType): boolean {
  if (map.fields.size > 0 || map.element === undefined || map.element === untypedAtomicType) return false;
  return map.element === deducedType || map.element.scalar === 'untyped';
}

/**
 * Adds every declared field that has paths below it in the set. Appliers do not own such fields, but a field is
 * removed once everything in it is removed.
 */
export function withDeclaredFields(set: FieldSet, type: MergeType | undefined): FieldSet {
  if (set.hasNoChildren || type === undefined) return set;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const name = fieldNameOf(element);
    const declared = name !== undefined && type.map?.fields.has(name) === true;
    const below = withDeclaredFields(child, childType(type, element, name));
    const now = declared ? below.withOwned(true) : below;
    if (now === child) continue;
    children ??= new Map(set.children);
    children.set(element, now);
  }
  return children === undefined ? set : FieldSet.node(set.owned, children);
}

function childType(type: MergeType, element: PathElement, name: string | undefined): MergeType | undefined {
  if (name !== undefined) return type.map === undefined ? undefined : entryType(type.map, name);
  return isKeyElement(element) ? type.list?.element : undefined;
}
