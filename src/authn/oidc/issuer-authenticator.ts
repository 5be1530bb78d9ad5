import { decodeJwt } from 'jose';
import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../../auth/index.ts';
import { type Clock, limits } from '../../meta/index.ts';
import { ClaimError, type ClaimMapper, claimsOf } from './claim-mapper.ts';
import type { DistributedClaims } from './distributed-claims.ts';
import type { IssuerConfig } from './issuer-config.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { AudienceError, verifyToken } from './verify-token.ts';

interface KnownToken {
  readonly authentication: Authentication;
  readonly untilMs: number;
}

interface IssuerAuthenticatorParts {
  readonly keys: IssuerKeys;
  readonly mapper: ClaimMapper;
  /** Undefined if groups are not mapped from a claim. */
  readonly distributed: DistributedClaims | undefined;
  readonly clock: Clock;
}

/** Authenticates ID tokens of one issuer. Verified tokens are cached for some seconds. */
export class IssuerAuthenticator implements Authenticator {
  readonly #config: IssuerConfig;
  readonly #parts: IssuerAuthenticatorParts;
  readonly #known = new Map<string, KnownToken>();

  constructor(config: IssuerConfig, parts: IssuerAuthenticatorParts) {
    this.#config = config;
    this.#parts = parts;
  }

  authenticate({ bearerToken }: Credentials): Authentication | undefined | Promise<Authentication> {
    if (bearerToken === '') return undefined;
    const known = this.#known.get(bearerToken);
    if (known !== undefined && this.#parts.clock.now() < known.untilMs) return known.authentication;
    if (!this.#isOurs(bearerToken)) return undefined;
    return this.#verify(bearerToken);
  }

  close(): void {
    this.#parts.keys.close();
    this.#parts.distributed?.close();
  }

  /** The issuer is read before the signature is verified: another authenticator may know the token. */
  #isOurs(token: string): boolean {
    try {
      const { iss } = decodeJwt(token);
      return (iss === 'accounts.google.com' ? 'https://accounts.google.com' : iss) === this.#config.url;
    } catch {
      return false;
    }
  }

  async #verify(token: string): Promise<Authentication> {
    const keys = await this.#parts.keys.find();
    if (keys === undefined) throw new BadCredentialsError('oidc: authenticator not initialized');
    try {
      const { clock, mapper, distributed } = this.#parts;
      const payload = await verifyToken(token, keys, { config: this.#config, clock });
      const claims = claimsOf(payload);
      const user = mapper.userOf(distributed === undefined ? claims : await distributed.expand(claims));
      const expiresAtMs = (payload.exp ?? 0) * 1000;
      return this.#remember(token, Object.freeze({ user, expiresAtMs }));
    } catch (error) {
      if (error instanceof ClaimError || error instanceof AudienceError)
        throw new BadCredentialsError(error.message, { cause: error });
      const why = error instanceof Error ? error.message : String(error);
      throw new BadCredentialsError(`oidc: verify token: ${why}`, { cause: error });
    }
  }

  #remember(token: string, authentication: Authentication): Authentication {
    const now = this.#parts.clock.now();
    const untilMs = Math.min(now + limits.verifiedTokenAgeMsMax, authentication.expiresAtMs ?? now);
    if (this.#known.size >= limits.knownTokensMax) this.#known.clear();
    this.#known.set(token, { authentication, untilMs });
    return authentication;
  }
}
