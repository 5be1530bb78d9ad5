import { foregroundFinalizer, type OwnerReference, orphanFinalizer } from '../../meta/index.ts';
import { identityOf, type ObjectIdentity, refersTo, sameIdentity } from './identity.ts';
import { alternativeIdentity, type GraphNode, partitionDependents } from './node.ts';

/** An object as a change shows it. */
export interface Observation {
  readonly key: string;
  readonly identity: ObjectIdentity;
  readonly owners: readonly OwnerReference[];
  readonly beingDeleted: boolean;
  readonly finalizers: readonly string[];
}

/** The work that the graph requests. Nodes may be requested repeatedly; the worker reads the live object. */
interface GraphEvents {
  /** May have lost its last owner, or waits for its dependents, or is virtual and must be verified. */
  attemptToDelete(node: GraphNode): void;
  /** Is being deleted and leaves its dependents behind. */
  attemptToOrphan(node: GraphNode): void;
  /** The owner with this uid exists, but in another namespace than its dependent. */
  invalidNamespace(dependent: GraphNode, ownerUid: string): void;
  absent(identity: ObjectIdentity): void;
}

/**
 * The graph of owners and dependents. It contains only objects that own, are owned or wait for the collector: others
 * cost nothing. Changes must be passed one at a time in the order of their revisions.
 * Source: kubernetes, pkg/controller/garbagecollector/graph_builder.go.
 */
export class Graph {
  readonly #events: GraphEvents;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #keys = new Set<string>();

  constructor(events: GraphEvents) {
    this.#events = events;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Whether the object that is stored there is in the graph. */
  hasKey(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Where the objects of the graph are stored, as of now. */
  keys(): ReadonlySet<string> {
    return new Set(this.#keys);
  }

  /** An object was written; `before` is what it was, where it was anything. */
  observe(now: Observation, before: Observation | undefined): void {
    const node = this.#nodes.get(now.identity.uid) ?? this.#insert(now.identity, false);
    if (node.virtual) this.confirm(node, now.identity);
    node.identity = now.identity;
    node.key = now.key;
    this.#keys.add(now.key);
    this.#changeOwners(node, now.owners);
    if (now.beingDeleted) node.beingDeleted = true;
    this.#followDeletion(node, now, before);
    this.#prune(node);
  }

  /** The object of a virtual node was found. Dependents that reference it differently are checked. */
  confirm(node: GraphNode, identity: ObjectIdentity): void {
    if (!node.virtual || this.#nodes.get(identity.uid) !== node) return;
    node.virtual = false;
    if (sameIdentity(node.identity, identity)) return;
    for (const dependent of partitionDependents(node, identity).differing) {
      const elsewhere = identity.namespace !== '' && dependent.identity.namespace !== identity.namespace;
      if (elsewhere) this.#events.invalidNamespace(dependent, identity.uid);
      this.#events.attemptToDelete(dependent);
    }
    node.identity = identity;
  }

  /** An object was deleted; this is its last state. */
  remove(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    this.confirm(node, identity);
    this.#removeNode(node);
  }

  #removeNode(node: GraphNode): void {
    this.#drop(node);
    if (node.dependents.size > 0) this.#events.absent(node.identity);
    for (const dependent of node.dependents) this.#events.attemptToDelete(dependent);
    for (const { uid: ownerUid } of node.owners) {
      const owner = this.#nodes.get(ownerUid);
      if (owner === undefined) continue;
      owner.dependents.delete(node);
      if (owner.deletingDependents) this.#events.attemptToDelete(owner);
      this.#prune(owner);
    }
  }

  /** A look at the live state found nothing where an identity points. */
  removeAbsent(identity: ObjectIdentity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    if (node.virtual) this.#removeVirtual(node, identity);
    else if (sameIdentity(node.identity, identity)) this.#removeNode(node);
    else this.#lookAt(partitionDependents(node, identity).matching, identity);
  }

  /** As long as dependents call it by other names, the node stays and the next name is tried. */
  #removeVirtual(node: GraphNode, identity: ObjectIdentity): void {
    const { matching, differing } = partitionDependents(node, identity);
    if (differing.length === 0) return this.#removeNode(node);
    this.#lookAt(matching, identity);
    if (!sameIdentity(node.identity, identity)) return;
    const alternative = alternativeIdentity(differing, identity);
    if (alternative === undefined) return;
    node.identity = alternative;
    this.#events.attemptToDelete(node);
  }

  #lookAt(dependents: readonly GraphNode[], absent: ObjectIdentity): void {
    if (dependents.length === 0) return;
    this.#events.absent(absent);
    for (const dependent of dependents) this.#events.attemptToDelete(dependent);
  }

  #insert(identity: ObjectIdentity, virtual: boolean): GraphNode {
    const node: GraphNode = {
      identity,
      owners: [],
      dependents: new Set(),
      beingDeleted: false,
      deletingDependents: false,
      virtual,
      key: undefined,
    };
    this.#nodes.set(identity.uid, node);
    return node;
  }

  #drop(node: GraphNode): void {
    this.#nodes.delete(node.identity.uid);
    if (node.key !== undefined) this.#keys.delete(node.key);
  }

  /** A node without relations and waiters is created again when it is needed. */
  #prune(node: GraphNode): void {
    const needed = node.dependents.size > 0 || node.owners.length > 0 || node.beingDeleted;
    if (!needed && this.#nodes.get(node.identity.uid) === node) this.#drop(node);
  }

  #changeOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    const before = new Map(node.owners.map((reference) => [reference.uid, reference]));
    const after = new Map(owners.map((reference) => [reference.uid, reference]));
    node.owners = owners;
    this.#link(
      node,
      [...after.values()].filter(({ uid }) => !before.has(uid)),
    );
    for (const [uid, old] of before) this.#changeOwner(node, old, after.get(uid));
  }

  /** A waiting owner may continue when a reference no longer blocks it. */
  #changeOwner(node: GraphNode, old: OwnerReference, now: OwnerReference | undefined): void {
    const owner = this.#nodes.get(old.uid);
    if (owner === undefined) return;
    if (now === undefined) owner.dependents.delete(node);
    const unblocked = old.blockOwnerDeletion === true && now?.blockOwnerDeletion !== true;
    if (unblocked) this.#events.attemptToDelete(owner);
    if (now === undefined) this.#prune(owner);
  }

  #link(node: GraphNode, references: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of references) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? this.#insert(identityOf(reference, node.identity.namespace), true);
      owner.dependents.add(node);
      if (known === undefined) this.#events.attemptToDelete(owner);
      else doubtful = this.#isDoubtful(node, reference, owner, doubtful) || doubtful;
    }
    if (doubtful) this.#events.attemptToDelete(node);
  }

  /** Whether a reference may lead elsewhere than to the owner of its uid. */
  #isDoubtful(node: GraphNode, reference: OwnerReference, owner: GraphNode, told: boolean): boolean {
    const elsewhere = owner.identity.namespace !== node.identity.namespace;
    if (owner.identity.namespace !== '' && elsewhere) {
      if (!owner.virtual && !told) this.#events.invalidNamespace(node, reference.uid);
      return true;
    }
    return !refersTo(reference, owner.identity) || (owner.virtual && elsewhere);
  }

  /** Edges, not levels: a second deletion in the foreground sets the finalizer again, and it must go again. */
  #followDeletion(node: GraphNode, now: Observation, before: Observation | undefined): void {
    if (now.beingDeleted && now.finalizers.includes(foregroundFinalizer)) node.deletingDependents = true;
    if (starts(orphanFinalizer, now, before)) {
      this.#events.attemptToOrphan(node);
    } else if (starts(foregroundFinalizer, now, before)) {
      for (const dependent of node.dependents) this.#events.attemptToDelete(dependent);
      this.#events.attemptToDelete(node);
    }
  }
}

function starts(finalizer: string, now: Observation, before: Observation | undefined): boolean {
  const waits = (one: Observation) => one.beingDeleted && one.finalizers.includes(finalizer);
  return waits(now) && (before === undefined || !waits(before));
}
