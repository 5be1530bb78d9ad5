import { randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import type { Clock, JsonObject } from '../../meta/index.ts';
import { serviceAccountUserName } from '../authentication/service-account-name.ts';
import { type AccountClaims, privateClaims } from './account-claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** How the tokens of a server's service accounts are made, and which count. */
export interface AccountTokenOptions {
  readonly keys: SigningKeys;
  /** The first signs; tokens of the others count, too. */
  readonly issuers: readonly string[];
  /** Whom tokens are for that name nobody, and as whom this server judges them. */
  readonly audiences: readonly string[];
  /** Longer lives are cut; undefined leaves them. */
  readonly maxExpirationSeconds?: number;
  readonly clock: Clock;
}

/** What a token is asked to say; the rest is of the moment. */
type AskedClaims = Pick<AccountClaims, 'namespace' | 'account' | 'bound' | 'audiences'> & {
  readonly lifetimeSeconds: number;
};

/** Makes the tokens of service accounts, and the documents by which others check them. */
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
