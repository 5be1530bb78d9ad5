import {
  foregroundFinalizer,
  isObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  namespaceOf,
  orphanFinalizer,
  own,
  type OwnerReference,
  ownerReferencesOf,
  ownString,
  type PropagationPolicy,
  stringList,
} from '../../meta/index.ts';
import type { AbsentOwners } from './absent-owners.ts';
import type { Graph } from './graph.ts';
import { identityOf, type ObjectIdentity } from './identity.ts';
import { type LiveObject, type LiveObjects, storedReferences } from './live-objects.ts';
import { blockingDependents, type GraphNode } from './node.ts';

/** What attempts work with. */
export interface AttemptParts {
  readonly graph: Graph;
  readonly live: LiveObjects;
  readonly absentOwners: AbsentOwners;
  /** Asks for an attempt at a node. */
  readonly enqueue: (node: GraphNode) => void;
}

/**
 * Decides what becomes of an object whose owners may have gone, or that waits for its dependents; by the live state,
 * of itself and of each owner. docs/controllers.md has the table.
 * Source: kubernetes, pkg/controller/garbagecollector/garbagecollector.go, attemptToDeleteItem.
 *
 * @throws {UnknownKindError} while a kind is not served: then nothing is known, and nothing is deleted
 * @throws {NamespacedOwnerError} for a cluster-scoped object with a namespaced owner
 */
export async function attemptToDelete(parts: AttemptParts, uid: string): Promise<void> {
  const { graph, live } = parts;
  const node = graph.get(uid);
  if (node === undefined || (node.beingDeleted && !node.deletingDependents)) return;
  const { identity } = node;
  const { target, object } = await live.read(identity, node.virtual ? 'served' : 'stored');
  if (object === undefined || metadataString(object, 'uid') !== uid) {
    return missing(parts, node, { ...identity, namespace: target.namespace }, target);
  }
  if (node.virtual) confirm(parts, node, { target, object });
  if (node.deletingDependents) return waitForDependents(parts, node, { target, object });
  const references = ownerReferencesOf(storedReferences(object));
  if (references.length > 0) await decide(parts, node, { target, object }, references);
}

/**
 * No object has this identity. A virtual node may still name an object in another namespace: its
 * dependents are wrong then, and an event reports it.
 */
async function missing(
  { graph, live }: AttemptParts,
  node: GraphNode,
  identity: ObjectIdentity,
  target: LiveObject['target'],
): Promise<void> {
  if (node.virtual) {
    if (target.type.namespaced) {
      const namespace = await live.namespaceOf(identity, target);
      if (namespace !== undefined) graph.confirm(node, { ...identity, namespace });
    } else {
      // A kind without namespaces has one name for dependents of all namespaces.
      node.identity = identity;
    }
  }
  graph.removeAbsent(identity);
}

function confirm({ graph, live }: AttemptParts, node: GraphNode, { object }: LiveObject): void {
  const { apiVersion, kind, name, uid } = node.identity;
  graph.confirm(node, {
    apiVersion: live.kinds.preferredApiVersion(apiVersion, kind),
    kind,
    name,
    uid,
    namespace: namespaceOf(object),
  });
}

/** Removes the finalizer after the last blocking dependent is deleted. Otherwise each one is processed. */
async function waitForDependents(
  { live, enqueue }: AttemptParts,
  node: GraphNode,
  object: LiveObject,
): Promise<void> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) return live.removeFinalizer(object, foregroundFinalizer);
  for (const dependent of blocking) if (!dependent.deletingDependents) enqueue(dependent);
}

interface Owners {
  /** There, and not about to go with its dependents. */
  readonly solid: readonly OwnerReference[];
  /** Gone, or another object of the same name. */
  readonly dangling: readonly OwnerReference[];
  /** Deleted in the foreground: waits for this object, among others. */
  readonly waiting: readonly OwnerReference[];
}

async function decide(
  parts: AttemptParts,
  node: GraphNode,
  object: LiveObject,
  references: readonly OwnerReference[],
): Promise<void> {
  const { solid, dangling, waiting } = await classify(parts, node, references);
  if (solid.length > 0) return leaveSolid(parts, object, [...dangling, ...waiting]);
  if (waiting.length > 0 && node.dependents.size > 0) return deleteBeforeOwner(parts, node, object);
  await remove(parts, node, object, policyOf(object.object));
}

async function classify(
  parts: AttemptParts,
  node: GraphNode,
  references: readonly OwnerReference[],
): Promise<Owners> {
  const owners: Record<keyof Owners, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
  for (const reference of references) owners[await classOf(parts, node, reference)].push(reference);
  return owners;
}

async function classOf(
  { live, absentOwners }: AttemptParts,
  { identity }: GraphNode,
  reference: OwnerReference,
): Promise<keyof Owners> {
  if (absentOwners.has(identityOf(reference, ''))) return 'dangling';
  if (absentOwners.has(identityOf(reference, identity.namespace))) return 'dangling';
  const { target, object } = await live.read(identityOf(reference, identity.namespace), 'served');
  if (object === undefined || metadataString(object, 'uid') !== reference.uid) {
    absentOwners.add(identityOf(reference, target.namespace));
    return 'dangling';
  }
  const metadata = metadataOf(object);
  const deleted = own(metadata, 'deletionTimestamp') !== undefined;
  return deleted && finalizersOf(object).includes(foregroundFinalizer) ? 'waiting' : 'solid';
}

/** One owner is enough to stay; an owner that waits must not wait for an object that stays. */
async function leaveSolid(
  { live }: AttemptParts,
  object: LiveObject,
  gone: readonly OwnerReference[],
): Promise<void> {
  if (gone.length === 0) return;
  const uids = new Set(gone.map(({ uid }) => uid));
  await live.setOwners(object, withoutOwners(object.object, uids));
}

/** The references of an object but those to some owners. */
export function withoutOwners(object: KubeObject, uids: ReadonlySet<string>): JsonValue[] {
  return storedReferences(object).filter((one) => !isObject(one) || !uids.has(ownString(one, 'uid') ?? ''));
}

/** A cycle would be a deadlock: an object that is part of one no longer blocks its owners. */
async function deleteBeforeOwner(parts: AttemptParts, node: GraphNode, live: LiveObject): Promise<void> {
  const circular = [...node.dependents].some(({ deletingDependents }) => deletingDependents);
  const object = circular ? await parts.live.setOwners(live, unblocked(live.object)) : live.object;
  await remove(parts, node, { ...live, object }, 'Foreground');
}

function unblocked(object: KubeObject): JsonValue[] {
  return storedReferences(object).map((one) => (isObject(one) ? { ...one, blockOwnerDeletion: false } : one));
}

/** The policy of an earlier deletion is kept. */
function policyOf(object: KubeObject): PropagationPolicy {
  const finalizers = finalizersOf(object);
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

async function remove(
  { live, graph }: AttemptParts,
  node: GraphNode,
  object: LiveObject,
  policy: PropagationPolicy,
): Promise<void> {
  if (!(await live.delete(object, policy))) graph.removeAbsent(node.identity);
}

function finalizersOf(object: KubeObject): string[] {
  return stringList(own(metadataOf(object), 'finalizers'));
}
