import { isObject, type JsonObject, type JsonValue, limits, ownString } from '../../meta/index.ts';
import { getDocument } from '../get-json.ts';
import type { IssuerConfig } from './issuer-config.ts';

const wellKnown = '/.well-known/openid-configuration';

/** The configuration that an issuer publishes. @throws {Error} where it does not answer, or is another one */
export async function discoverIssuer({
  url,
  discoveryUrl,
  caPem,
}: Pick<IssuerConfig, 'url' | 'discoveryUrl' | 'caPem'>): Promise<JsonObject> {
  const from = discoveryUrl ?? `${url.replace(/\/$/, '')}${wellKnown}`;
  const { issuerTimeoutMs: timeoutMs, issuerDocumentBytesMax: bytesMax } = limits;
  const document: JsonValue = JSON.parse(await getDocument(from, { caPem, timeoutMs, bytesMax }));
  const found = isObject(document) ? document : {};
  const issuer = ownString(found, 'issuer') ?? '';
  if (issuer !== url) {
    const text = `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(url)} got ${JSON.stringify(issuer)}`;
    throw new Error(text);
  }
  return found;
}

/** An address of a configuration. @throws {Error} where it is none of https */
export function addressIn(configuration: JsonObject, field: string): string {
  const uri = ownString(configuration, field) ?? '';
  if (!uri.startsWith('https://'))
    throw new Error(`oidc: ${ownString(configuration, 'issuer')} names no ${field} of https`);
  return uri;
}
