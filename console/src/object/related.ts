import type { KubeObject, OwnerReference } from '../api/kube-object.ts';
import { parseApiVersion, type ResourceRef } from '../api/paths.ts';

/** An object that another one belongs to, or that belongs to another one. */
export interface RelatedNode {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Undefined where the server does not have the kind. */
  readonly ref: ResourceRef | undefined;
  /** 0 is the object itself, owners are below it, dependents above. */
  readonly level: number;
  /** The uids of all its owners, as far as they were looked at. */
  readonly owners: readonly string[];
}

/** That one object belongs to another one. */
export interface RelatedEdge {
  readonly owner: string;
  readonly dependent: string;
  readonly isController: boolean;
  /** Whether it holds up a deletion of the owner that waits for dependents. */
  readonly blocks: boolean;
}

/** What belongs together, over all levels. */
export interface Related {
  /** Owners first, by level. */
  readonly nodes: readonly RelatedNode[];
  readonly edges: readonly RelatedEdge[];
  /** Kinds that the user may not list, or that are too many to be looked through. */
  readonly notLookedAt: readonly string[];
  /** Whether there is more than is shown. */
  readonly isCut: boolean;
}

/** An object that has owners. */
export interface OwnedObject {
  readonly uid: string;
  readonly kind: string;
  readonly ref: ResourceRef;
  readonly name: string;
  readonly namespace: string;
  readonly owners: readonly OwnerReference[];
}

/** A kind that the server has. */
interface KnownKind extends Pick<ResourceRef, 'group' | 'plural'> {
  readonly kind: string;
  readonly namespaced: boolean;
}

const nodesMax = 200;

/** What belongs together with an object, among those that have owners. */
export function relatedAmong(
  object: KubeObject,
  owned: readonly OwnedObject[],
  kinds: readonly KnownKind[],
): Omit<Related, 'notLookedAt'> {
  const { uid = '', name, namespace = '', ownerReferences: owners = [] } = object.metadata;
  const graph = new Graph({
    uid,
    kind: object.kind ?? '',
    name,
    namespace,
    ref: undefined,
    owners,
    level: 0,
  });
  graph.addDependents(uid, owned);
  graph.addOwners({ uid, owners }, { owned, nodeOf: (owner) => ownerNode(owner, namespace, kinds) });
  return graph.related;
}

type OwnerNode = Omit<RelatedNode, 'level' | 'owners'>;

class Graph {
  readonly #nodes = new Map<string, RelatedNode>();
  readonly #edges = new Map<string, RelatedEdge>();
  #isCut = false;

  constructor({
    owners,
    ...self
  }: OwnerNode & { readonly owners: readonly OwnerReference[]; level: number }) {
    this.#nodes.set(self.uid, { ...self, owners: uidsOf(owners) });
  }

  get related(): Omit<Related, 'notLookedAt'> {
    const nodes = [...this.#nodes.values()].sort((a, b) => a.level - b.level);
    return { nodes, edges: [...this.#edges.values()], isCut: this.#isCut };
  }

  addDependents(uid: string, owned: readonly OwnedObject[]): void {
    const waiting = [{ uid, level: 1 }];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      for (const { owners, ...one } of owned) {
        const owner = owners.find((reference) => reference.uid === at.uid);
        if (owner === undefined) continue;
        const isNew = this.#add({ ...one, level: at.level, owners: uidsOf(owners) });
        this.#tie(owner, one.uid);
        if (isNew) waiting.push({ uid: one.uid, level: at.level + 1 });
      }
    }
  }

  addOwners(
    self: { readonly uid: string; readonly owners: readonly OwnerReference[] },
    parts: { readonly owned: readonly OwnedObject[]; readonly nodeOf: (owner: OwnerReference) => OwnerNode },
  ): void {
    const ownersOf = new Map(parts.owned.map(({ uid, owners }) => [uid, owners]));
    const waiting = [{ ...self, level: -1 }];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      for (const owner of at.owners) {
        const owners = ownersOf.get(owner.uid) ?? [];
        const isNew = this.#add({ ...parts.nodeOf(owner), level: at.level, owners: uidsOf(owners) });
        this.#tie(owner, at.uid);
        if (isNew) waiting.push({ uid: owner.uid, owners, level: at.level - 1 });
      }
    }
  }

  /** @returns whether it is there now, and was not before */
  #add(node: RelatedNode): boolean {
    if (this.#nodes.has(node.uid)) return false;
    this.#isCut ||= this.#nodes.size >= nodesMax;
    if (this.#isCut) return false;
    this.#nodes.set(node.uid, node);
    return true;
  }

  #tie(owner: OwnerReference, dependent: string): void {
    if (!this.#nodes.has(owner.uid) || !this.#nodes.has(dependent)) return;
    this.#edges.set(`${owner.uid} ${dependent}`, {
      owner: owner.uid,
      dependent,
      isController: owner.controller === true,
      blocks: owner.blockOwnerDeletion === true,
    });
  }
}

function uidsOf(owners: readonly OwnerReference[]): readonly string[] {
  return owners.map(({ uid }) => uid);
}

function ownerNode(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  kinds: readonly KnownKind[],
): OwnerNode {
  const { group, version } = parseApiVersion(apiVersion);
  const known = kinds.find((one) => one.group === group && one.kind === kind);
  return {
    uid,
    kind,
    name,
    namespace: known?.namespaced === false ? '' : namespace,
    ref: known && { group, version, plural: known.plural },
  };
}

/** The dependents that go when the object goes: those all of whose owners go. */
export function goingAlong(nodes: readonly RelatedNode[]): ReadonlySet<string> {
  const going = new Set(nodes.filter(({ level }) => level === 0).map(({ uid }) => uid));
  for (let before = 0; before !== going.size; ) {
    before = going.size;
    for (const { uid, level, owners } of nodes)
      if (level > 0 && owners.every((owner) => going.has(owner))) going.add(uid);
  }
  for (const { uid, level } of nodes) if (level <= 0) going.delete(uid);
  return going;
}
