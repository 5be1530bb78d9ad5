import { isObject, type JsonObject, own, ownObject, ownString, stringList } from '../../meta/index.ts';

/** An object by name and uid, as tokens name it. The uid is empty for a node that did not exist. */
export interface ClaimedObject {
  readonly name: string;
  readonly uid: string;
}

/** The kinds of objects that a token may be bound to; deleting the object invalidates it. */
export const boundKinds = ['Pod', 'Secret', 'Node'] as const;
export type BoundKind = (typeof boundKinds)[number];

/** The claims of a service account token. Times are in seconds since 1970. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: ClaimedObject;
  readonly bound: Readonly<Partial<Record<BoundKind, ClaimedObject>>>;
  readonly audiences: readonly string[];
  readonly id: string;
  readonly issuedAt: number;
  readonly notBefore: number;
  /** Undefined for a token that does not expire. */
  readonly expiresAt: number | undefined;
}

/** The private claims. Source: kubernetes, pkg/serviceaccount/claims.go. */
export function privateClaims({ namespace, account, bound }: AccountClaims): JsonObject {
  const objects = boundKinds.flatMap((kind) => {
    const object = bound[kind];
    return object === undefined ? [] : [[kind.toLowerCase(), claimOf(object)] as const];
  });
  return {
    'kubernetes.io': { namespace, ...Object.fromEntries(objects), serviceaccount: claimOf(account) },
  };
}

function claimOf({ name, uid }: ClaimedObject): JsonObject {
  return uid === '' ? { name } : { name, uid };
}

/** The claims of a verified payload. Missing ones are empty and match no object. */
export function readAccountClaims(payload: JsonObject): AccountClaims {
  const kubernetes = ownObject(payload, 'kubernetes.io') ?? {};
  const bound = boundKinds.flatMap((kind) => {
    const object = ownObject(kubernetes, kind.toLowerCase());
    return object === undefined ? [] : [[kind, readObject(object)] as const];
  });
  const audience = own(payload, 'aud');
  return Object.freeze({
    namespace: ownString(kubernetes, 'namespace') ?? '',
    account: readObject(ownObject(kubernetes, 'serviceaccount') ?? {}),
    bound: Object.fromEntries(bound),
    audiences: typeof audience === 'string' ? [audience] : stringList(audience),
    id: ownString(payload, 'jti') ?? '',
    issuedAt: secondsOf(payload, 'iat') ?? 0,
    notBefore: secondsOf(payload, 'nbf') ?? 0,
    expiresAt: secondsOf(payload, 'exp'),
  });
}

function readObject(value: JsonObject): ClaimedObject {
  return { name: ownString(value, 'name') ?? '', uid: ownString(value, 'uid') ?? '' };
}

function secondsOf(payload: JsonObject, key: string): number | undefined {
  const value = own(payload, key);
  return typeof value === 'number' ? value : undefined;
}

/** The payload of a token, read before its signature is verified; undefined if it is not a JWT. */
export function unverifiedPayload(token: string): JsonObject | undefined {
  const [, payload, , ...more] = token.split('.', 4);
  if (payload === undefined || more.length > 0) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(value as never) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
