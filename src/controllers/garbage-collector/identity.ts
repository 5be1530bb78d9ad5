import type { OwnerReference } from '../../meta/index.ts';

/** The identity of an object: from an owner reference, or from the object itself. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What a reference in a namespace names. */
export function identityOf(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
): ObjectIdentity {
  return { apiVersion, kind, namespace, name, uid };
}

export function sameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return a.namespace === b.namespace && refersTo(a, b);
}

/** Whether a reference gives an object the name that it has; where it lives is another question. */
export function refersTo(
  reference: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>,
  identity: ObjectIdentity,
): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion
  );
}

/** For sets of identities. */
export function identityKey({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return JSON.stringify([kind, apiVersion, namespace, name, uid]);
}

/** As upstream prints it in events. */
export function identityText({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

const byWeight = ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const;

/** Kinds first, so that alternatives of one kind are adjacent. Negative if `a` precedes `b`. */
export function compareIdentities(a: ObjectIdentity, b: ObjectIdentity): number {
  for (const field of byWeight) {
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  }
  return 0;
}
