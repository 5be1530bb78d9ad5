import type { OwnerReference } from '../../meta/index.ts';
import { compareIdentities, identityKey, identityOf, type ObjectIdentity, refersTo } from './identity.ts';

/** An object in the graph. */
export interface GraphNode {
  identity: ObjectIdentity;
  /** The references as last seen. */
  owners: readonly OwnerReference[];
  readonly dependents: Set<GraphNode>;
  /** Never goes back. */
  beingDeleted: boolean;
  /** Is deleted in the foreground: waits for the dependents that block it. Never goes back. */
  deletingDependents: boolean;
  /** Only known from references to it: its name may be wrong, and it may not be there at all. */
  virtual: boolean;
  /** Where it is stored, if it was seen. */
  key: string | undefined;
}

/** The dependents that a deletion in the foreground waits for. */
export function blockingDependents(owner: GraphNode): GraphNode[] {
  const blocks = ({ uid, blockOwnerDeletion }: OwnerReference) =>
    uid === owner.identity.uid && blockOwnerDeletion === true;
  return [...owner.dependents].filter(({ owners }) => owners.some(blocks));
}

/** Dependents by whether they name the owner as it is called. One with several references can be in both. */
export function partitionDependents(
  owner: GraphNode,
  identity: ObjectIdentity,
): { readonly matching: GraphNode[]; readonly differing: GraphNode[] } {
  const matching: GraphNode[] = [];
  const differing: GraphNode[] = [];
  for (const dependent of owner.dependents) {
    const references = dependent.owners.filter(({ uid }) => uid === identity.uid);
    const elsewhere = identity.namespace !== '' && identity.namespace !== dependent.identity.namespace;
    if (elsewhere || references.some((one) => !refersTo(one, identity))) differing.push(dependent);
    if (!elsewhere && references.some((one) => refersTo(one, identity))) matching.push(dependent);
  }
  return { matching, differing };
}

/**
 * Another name by which dependents call an owner whose present name leads nowhere: the next in order, from the start
 * again after the last; undefined where there is no other.
 */
export function alternativeIdentity(
  dependents: readonly GraphNode[],
  absent: ObjectIdentity,
): ObjectIdentity | undefined {
  const alternatives = new Map<string, ObjectIdentity>();
  for (const { identity, owners } of dependents) {
    for (const reference of owners) {
      if (reference.uid !== absent.uid) continue;
      const clusterScoped =
        absent.namespace === '' &&
        reference.apiVersion === absent.apiVersion &&
        reference.kind === absent.kind;
      const alternative = identityOf(reference, clusterScoped ? '' : identity.namespace);
      alternatives.set(identityKey(alternative), alternative);
    }
  }
  alternatives.delete(identityKey(absent));
  const ordered = [...alternatives.values()].sort(compareIdentities);
  return ordered.find((one) => compareIdentities(absent, one) < 0) ?? ordered[0];
}
