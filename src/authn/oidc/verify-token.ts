import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Clock, goQuote } from '../../meta/index.ts';
import type { IssuerConfig } from './issuer-config.ts';

/** The token is for another audience. */
export class AudienceError extends Error {}

/**
 * The claims of a token, after its signature, times and audience are verified.
 *
 * @throws {AudienceError} and jose's errors
 */
export async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { config, clock }: { readonly config: IssuerConfig; readonly clock: Clock },
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: [...config.algorithms],
    currentDate: new Date(clock.now()),
    requiredClaims: ['exp'],
  });
  checkAudience([payload.aud ?? []].flat(), config.audiences);
  return payload;
}

function checkAudience(named: readonly string[], audiences: readonly string[]): void {
  if (named.some((one) => audiences.includes(one))) return;
  const quoted = (names: readonly string[]) => `[${names.map((name) => goQuote(name)).join(' ')}]`;
  const wanted = quoted([...audiences].sort());
  throw new AudienceError(`oidc: expected audience in ${wanted} got ${quoted(named)}`);
}
