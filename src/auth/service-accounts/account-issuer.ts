import { randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import type { Clock, JsonObject } from '../../meta/index.ts';
import { serviceAccountUserName } from '../authentication/service-account-name.ts';
import { type AccountClaims, privateClaims } from './account-claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** How service account tokens are issued and verified. */
export interface AccountTokenOptions {
  readonly keys: SigningKeys;
  /** The first key signs; the others only verify. */
  readonly issuers: readonly string[];
  /** The default audiences of tokens, and the audiences of this server. */
  readonly audiences: readonly string[];
  /** The maximum lifetime of tokens; undefined for no maximum. */
  readonly maxExpirationSeconds?: number;
  readonly clock: Clock;
}

/** The requested claims of a token; the issuer adds the rest. */
type AskedClaims = Pick<AccountClaims, 'namespace' | 'account' | 'bound' | 'audiences'> & {
  readonly lifetimeSeconds: number;
};

/** Issues service account tokens, and serves the documents by which others verify them. */
export class AccountIssuer {
  readonly options: AccountTokenOptions;

  constructor(options: AccountTokenOptions) {
    this.options = options;
  }

  async issue({ lifetimeSeconds, ...asked }: AskedClaims): Promise<{ token: string; claims: AccountClaims }> {
    const { keys, issuers, clock } = this.options;
    const now = Math.floor(clock.now() / 1000);
    const times = { issuedAt: now, notBefore: now, expiresAt: now + lifetimeSeconds };
    const claims = { ...asked, ...times, id: randomUUID() };
    const { privateKey, algorithm, id } = await keys.signer();
    const token = await new SignJWT(privateClaims(claims))
      .setProtectedHeader({ alg: algorithm, kid: id })
      .setIssuer(issuers[0] ?? '')
      .setSubject(serviceAccountUserName(asked.namespace, asked.account.name))
      .setAudience([...asked.audiences])
      .setIssuedAt(times.issuedAt)
      .setNotBefore(times.notBefore)
      .setExpirationTime(times.expiresAt)
      .setJti(claims.id)
      .sign(privateKey);
    return { token, claims };
  }

  /** `/.well-known/openid-configuration`. Source: kubernetes, pkg/serviceaccount/openidmetadata.go. */
  async configuration(jwksUri: string): Promise<JsonObject> {
    const algorithms = new Set((await this.options.keys.all()).map(({ algorithm }) => algorithm));
    return {
      issuer: this.options.issuers[0] ?? '',
      jwks_uri: jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...algorithms].sort(),
    };
  }

  /** `/openid/v1/jwks`. */
  async keySet(): Promise<JsonObject> {
    const keys = await this.options.keys.all();
    const exported = keys.map(async ({ id, algorithm, publicKey }) => {
      const { kty, n, e, crv, x, y } = await exportJWK(publicKey);
      const parts = Object.entries({ crv, x, y, n, e }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value] as const],
      );
      return { use: 'sig', kty: kty ?? '', kid: id, alg: algorithm, ...Object.fromEntries(parts) };
    });
    return { keys: await Promise.all(exported) };
  }
}
