import { decodeJwt } from 'jose';
import { type Clock, goQuote, isObject, type JsonObject, limits, own, ownString } from '../../meta/index.ts';
import { getDocument } from '../get-json.ts';
import { ClaimError, claimsOf } from './claim-mapper.ts';
import type { IssuerConfig } from './issuer-config.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { verifyToken } from './verify-token.ts';

interface DistributedClaimsParts {
  readonly clock: Clock;
  /** Finds the keys of another issuer, with the CAs of this one. */
  readonly keysOf: (config: IssuerConfig) => IssuerKeys;
}

/** Where a distributed claim is fetched from. */
interface Source {
  readonly url: string;
  readonly accessToken: string;
}

/**
 * Fetches the groups claim if a token does not contain it but names its endpoint (distributed claims), as issuers do
 * for users with many groups. The endpoint's response is a token too, of any issuer whose keys can be found.
 *
 * Source: OpenID Connect Core 1.0, 5.6.2; apiserver, plugin/pkg/authenticator/token/oidc, claimResolver.
 */
export class DistributedClaims {
  readonly #claim: string;
  readonly #config: IssuerConfig;
  readonly #parts: DistributedClaimsParts;
  readonly #keys = new Map<string, IssuerKeys>();

  constructor(claim: string, config: IssuerConfig, parts: DistributedClaimsParts) {
    this.#claim = claim;
    this.#config = config;
    this.#parts = parts;
  }

  /** The claims, with the fetched one. @throws {ClaimError} */
  async expand(claims: JsonObject): Promise<JsonObject> {
    const source = own(claims, this.#claim) === undefined ? sourceOf(this.#claim, claims) : undefined;
    if (source === undefined) return claims;
    try {
      return { ...claims, [this.#claim]: await this.#resolve(source) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw expandError(why, error);
    }
  }

  close(): void {
    for (const keys of this.#keys.values()) keys.close();
  }

  async #resolve(source: Source) {
    const claim = this.#claim;
    const token = await this.#fetch(source);
    const issuer = issuerOf(token, source.url, claim);
    const keys = await this.#keysOf(issuer).find();
    if (keys === undefined)
      throw new Error(
        `verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${goQuote(issuer)}`,
      );
    const { clock } = this.#parts;
    const payload = await verifyToken(token, keys, { config: this.#config, clock }).catch((error) => {
      throw new Error(`verify distributed claim token: ${error.message}`, { cause: error });
    });
    const value = own(claimsOf(payload), claim);
    if (value !== undefined) return value;
    throw new Error(
      `jwt returned by distributed claim endpoint ${goQuote(source.url)} did not contain claim: ${claim}`,
    );
  }

  async #fetch({ url, accessToken }: Source): Promise<string> {
    const { caPem } = this.#config;
    const { issuerTimeoutMs: timeoutMs, issuerDocumentBytesMax: bytesMax } = limits;
    try {
      const authorization = accessToken === '' ? '' : `Bearer ${accessToken}`;
      return await getDocument(url, { caPem, timeoutMs, bytesMax, authorization });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`while getting distributed claim ${goQuote(this.#claim)}: ${why}`, { cause: error });
    }
  }

  #keysOf(issuer: string): IssuerKeys {
    const known = this.#keys.get(issuer);
    if (known !== undefined) return known;
    if (this.#keys.size >= limits.claimIssuersMax)
      throw new Error(`verifying untrusted issuer ${issuer} failed: there are too many issuers`);
    const keys = this.#parts.keysOf({ ...this.#config, url: issuer, discoveryUrl: undefined });
    this.#keys.set(issuer, keys);
    return keys;
  }
}

/** Undefined if the claim is not distributed. @throws {ClaimError} */
function sourceOf(claim: string, claims: JsonObject): Source | undefined {
  const names = own(claims, '_claim_names');
  if (names === undefined) return undefined;
  if (!isObject(names)) throw expandError('oidc: error parsing distributed claim names: want an object');
  const sources = own(claims, '_claim_sources');
  if (sources === undefined) throw expandError('oidc: no claim sources');
  if (!isObject(sources)) throw expandError('oidc: could not parse claim sources: want an object');
  const name = ownString(names, claim);
  if (name === undefined) return undefined;
  const source = own(sources, name);
  if (!isObject(source))
    throw expandError(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  const url = ownString(source, 'endpoint') ?? '';
  // An aggregated claim (`JWT`), which has no endpoint, is not supported.
  return url === '' ? undefined : { url, accessToken: ownString(source, 'access_token') ?? '' };
}

const expandError = (why: string, cause?: unknown) =>
  new ClaimError(`oidc: could not expand distributed claims: ${why}`, { cause });

function issuerOf(token: string, url: string, claim: string): string {
  try {
    const { iss = '' } = decodeJwt(token);
    return iss === 'accounts.google.com' ? 'https://accounts.google.com' : iss;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `getting untrusted issuer from endpoint ${url} failed for claim ${goQuote(claim)}: ${why}`;
    throw new Error(text, { cause: error });
  }
}
