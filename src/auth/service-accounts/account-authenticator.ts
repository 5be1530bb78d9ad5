import { errors, jwtVerify } from 'jose';
import { goQuote, type JsonObject, limits, ownString, type UserInfo } from '../../meta/index.ts';
import { type Authentication, BadCredentialsError } from '../authentication/authentication.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { Credentials } from '../authentication/credentials.ts';
import { serviceAccountGroups, serviceAccountUserName } from '../authentication/service-account-name.ts';
import {
  type AccountClaims,
  type BoundKind,
  boundKinds,
  type ClaimedObject,
  readAccountClaims,
  unverifiedPayload,
} from './account-claims.ts';
import type { AccountTokenOptions } from './account-issuer.ts';

/** An object that a token is bound to. */
export interface LivingObject {
  readonly uid: string;
  /** Its deletionTimestamp, in ms since 1970. */
  readonly deletedAtMs: number | undefined;
}

/** Reads the objects that tokens refer to. */
export interface LivingObjects {
  /** The current object; undefined if it does not exist. The namespace of a node is empty. */
  find(
    kind: BoundKind | 'ServiceAccount',
    namespace: string,
    name: string,
  ): Promise<LivingObject | undefined>;
  /** Calls back when an object of these kinds is deleted. Returns the unsubscribe function. */
  onGone(listener: () => void): () => void;
}

const noKey = 'invalid signature, no keys found';

/** A token with a valid signature, and the result of its last lookup. */
interface KnownToken {
  readonly claims: AccountClaims;
  /** The key that signed it; the token is invalid without it. */
  readonly keyId: string;
  found: Authentication | undefined;
  foundAtMs: number;
}

/** Tolerates clock skew; a deleted object also stays valid for this long. Source: go-jose, jwt.DefaultLeeway. */
const leewaySeconds = 60;

/**
 * Authenticates service account tokens. A token's signature is verified once; its account and bound objects are looked
 * up again periodically, and immediately after such an object is deleted.
 * Source: kubernetes, pkg/serviceaccount/jwt.go and claims.go.
 */
export class AccountAuthenticator implements Authenticator {
  readonly #options: AccountTokenOptions;
  readonly #objects: LivingObjects;
  readonly #known = new Map<string, KnownToken>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;
  #endWatching: (() => void) | undefined;

  constructor(options: AccountTokenOptions, objects: LivingObjects) {
    this.#options = options;
    this.#objects = objects;
  }

  authenticate(credentials: Credentials): Authentication | undefined | Promise<Authentication | undefined> {
    const { bearerToken } = credentials;
    if (bearerToken === '') return undefined;
    const known = this.#known.get(bearerToken);
    if (known === undefined) return this.#isOurs(bearerToken) ? this.#authenticate(credentials) : undefined;
    const isFresh = this.#options.clock.now() - known.foundAtMs < limits.accountLookupAgeMsMax;
    if (!isFresh || known.found === undefined) return this.#look(known, credentials);
    return this.#forAudience(known, known.found, credentials);
  }

  /** Deletions end the watches of accounts. Objects are watched from the first token on. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#endWatching?.();
  }

  #isOurs(token: string): boolean {
    const payload = unverifiedPayload(token);
    const issuer = payload && ownString(payload, 'iss');
    return issuer !== undefined && this.#options.issuers.includes(issuer);
  }

  async #authenticate(credentials: Credentials): Promise<Authentication> {
    const verified = await this.#verify(credentials.bearerToken);
    const known: KnownToken = { ...verified, found: undefined, foundAtMs: 0 };
    this.#endWatching ??= this.#objects.onGone(() => this.#forget());
    const found = await this.#look(known, credentials);
    if (this.#known.size >= limits.knownTokensMax) this.#known.clear();
    this.#known.set(credentials.bearerToken, known);
    return found;
  }

  /** A deletion invalidates cached lookups. */
  #forget(): void {
    this.#generation += 1;
    for (const known of this.#known.values()) known.found = undefined;
    for (const listener of this.#listeners) listener();
  }

  async #verify(token: string): Promise<Pick<KnownToken, 'claims' | 'keyId'>> {
    const keys = await this.#options.keys.all();
    let keyId = '';
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid, alg }) => {
          const key = keys.find(
            ({ id, algorithm }) => (kid === undefined || id === kid) && algorithm === alg,
          );
          if (key === undefined) throw new BadCredentialsError(noKey);
          keyId = key.id;
          return key.publicKey;
        },
        // Times are checked for each request, by the server's clock.
        { currentDate: new Date(0), clockTolerance: Number.MAX_SAFE_INTEGER },
      );
      return { claims: readAccountClaims(payload as JsonObject), keyId };
    } catch (error) {
      if (error instanceof BadCredentialsError) throw error;
      const why = error instanceof errors.JOSEError ? error.message : 'it cannot be read';
      throw new BadCredentialsError(`service account token: ${why}`, { cause: error });
    }
  }

  async #look(known: KnownToken, credentials: Credentials): Promise<Authentication> {
    const { claims } = known;
    const [generation, nowMs] = [this.#generation, this.#options.clock.now()];
    this.#checkTimes(claims);
    const keys = await this.#options.keys.all();
    if (!keys.some(({ id }) => id === known.keyId)) throw new BadCredentialsError(noKey);
    const account = await this.#objects.find('ServiceAccount', claims.namespace, claims.account.name);
    if (account === undefined) {
      throw new BadCredentialsError(`serviceaccounts ${goQuote(claims.account.name)} not found`);
    }
    this.#checkAccount(claims, account);
    for (const kind of boundKinds) await this.#checkBound(kind, claims);
    const found = known.found ?? authenticationOf(claims);
    if (generation === this.#generation) Object.assign(known, { found, foundAtMs: nowMs });
    return this.#forAudience(known, found, credentials);
  }

  #checkTimes({ expiresAt, notBefore, issuedAt }: AccountClaims): void {
    const now = this.#options.clock.now() / 1000;
    if (expiresAt !== undefined && now - leewaySeconds > expiresAt)
      throw new BadCredentialsError('service account token has expired');
    if (now + leewaySeconds < notBefore)
      throw new BadCredentialsError('service account token is not valid yet');
    if (now + leewaySeconds < issuedAt)
      throw new BadCredentialsError('service account token is issued in the future');
  }

  #checkAccount({ namespace, account }: AccountClaims, found: LivingObject): void {
    if (found.uid !== account.uid) {
      const text = `service account UID (${found.uid}) does not match claim (${account.uid})`;
      throw new BadCredentialsError(text);
    }
    if (this.#isGone(found)) {
      throw new BadCredentialsError(`service account ${namespace}/${account.name} has been deleted`);
    }
  }

  /** A pod's token names its node only for information. */
  async #checkBound(kind: BoundKind, { bound, namespace }: AccountClaims): Promise<void> {
    const claimed = bound[kind];
    if (claimed === undefined || (kind === 'Node' && bound.Pod !== undefined)) return;
    const found = await this.#objects.find(kind, kind === 'Node' ? '' : namespace, claimed.name);
    if (found === undefined) throw new BadCredentialsError('service account token has been invalidated');
    if (found.uid !== claimed.uid) {
      const word = kind.toLowerCase();
      const text = `${word} UID (${found.uid}) does not match service account ${word} ref claim (${claimed.uid})`;
      throw new BadCredentialsError(text);
    }
    if (this.#isGone(found)) throw new BadCredentialsError('service account token has been invalidated');
  }

  #isGone({ deletedAtMs }: LivingObject): boolean {
    return deletedAtMs !== undefined && deletedAtMs < this.#options.clock.now() - leewaySeconds * 1000;
  }

  #forAudience({ claims }: KnownToken, found: Authentication, { audiences }: Credentials): Authentication {
    this.#checkTimes(claims);
    const own = this.#options.audiences;
    // A token without an audience is for this server.
    const named = claims.audiences.length === 0 ? own : claims.audiences;
    const asked = audiences ?? own;
    const common = named.filter((one) => asked.includes(one));
    if (common.length === 0) {
      const text = `token audiences ${quoted(named)} is invalid for the target audiences ${quoted(asked)}`;
      throw new BadCredentialsError(text);
    }
    if (audiences === undefined) return found;
    return { ...found, audiences: common };
  }
}

const quoted = (names: readonly string[]) => `[${names.map((name) => goQuote(name)).join(' ')}]`;

function authenticationOf(claims: AccountClaims): Authentication {
  const { namespace, account, expiresAt, audiences } = claims;
  const user: UserInfo = Object.freeze({
    name: serviceAccountUserName(namespace, account.name),
    uid: account.uid,
    groups: Object.freeze(serviceAccountGroups(namespace)),
    extra: extraOf(claims),
  });
  const expiresAtMs = expiresAt === undefined ? {} : { expiresAtMs: (expiresAt + leewaySeconds) * 1000 };
  return Object.freeze({ user, audiences, ...expiresAtMs });
}

function extraOf({ bound, id }: AccountClaims): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const put = (key: string, value: string) => {
    if (value !== '') extra.set(`authentication.kubernetes.io/${key}`, [value]);
  };
  const putObject = (word: string, object: ClaimedObject | undefined) => {
    put(`${word}-name`, object?.name ?? '');
    put(`${word}-uid`, object?.uid ?? '');
  };
  if (id !== '') put('credential-id', `JTI=${id}`);
  putObject('pod', bound.Pod);
  putObject('node', bound.Node);
  return extra;
}
