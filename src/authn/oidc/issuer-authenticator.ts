import { decodeJwt, errors, jwtVerify } from 'jose';
import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../../auth/index.ts';
import { type Clock, goQuote, limits } from '../../meta/index.ts';
import { ClaimError, type ClaimMapper, claimsOf } from './claim-mapper.ts';
import type { IssuerConfig } from './issuer-config.ts';
import type { IssuerKeys } from './issuer-keys.ts';

interface KnownToken {
  readonly authentication: Authentication;
  readonly untilMs: number;
}

interface IssuerAuthenticatorParts {
  readonly keys: IssuerKeys;
  readonly mapper: ClaimMapper;
  readonly clock: Clock;
}

/** Finds the user behind an ID token of one issuer. A token that was verified is remembered for some seconds. */
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
  }

  /** Read before the signature is: another authenticator may know the token. */
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
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [...this.#config.algorithms],
        currentDate: new Date(this.#parts.clock.now()),
        requiredClaims: ['exp'],
      });
      this.#checkAudience([payload.aud ?? []].flat());
      const user = this.#parts.mapper.userOf(claimsOf(payload));
      const expiresAtMs = (payload.exp ?? 0) * 1000;
      return this.#remember(token, Object.freeze({ user, expiresAtMs }));
    } catch (error) {
      if (error instanceof ClaimError) throw new BadCredentialsError(error.message, { cause: error });
      if (error instanceof BadCredentialsError) throw error;
      const why = error instanceof errors.JOSEError || error instanceof Error ? error.message : String(error);
      throw new BadCredentialsError(`oidc: verify token: ${why}`, { cause: error });
    }
  }

  #checkAudience(named: readonly string[]): void {
    const { audiences } = this.#config;
    if (named.some((one) => audiences.includes(one))) return;
    const quoted = (names: readonly string[]) => `[${names.map((name) => goQuote(name)).join(' ')}]`;
    const wanted = quoted([...audiences].sort());
    throw new BadCredentialsError(`oidc: expected audience in ${wanted} got ${quoted(named)}`);
  }

  #remember(token: string, authentication: Authentication): Authentication {
    const now = this.#parts.clock.now();
    const untilMs = Math.min(now + limits.verifiedTokenAgeMsMax, authentication.expiresAtMs ?? now);
    if (this.#known.size >= limits.knownTokensMax) this.#known.clear();
    this.#known.set(token, { authentication, untilMs });
    return authentication;
  }
}
