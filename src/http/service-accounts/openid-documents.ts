import type { AccountIssuer } from '../../auth/index.ts';
import { encodeJson } from '../../codec/index.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';

export const keySetPath = '/openid/v1/jwks';
const configurationPath = '/.well-known/openid-configuration';

/**
 * Serves the documents for verifying service account tokens; undefined for other paths. Source: kubernetes, pkg/routes.
 */
export async function openIdResponse(
  issuer: AccountIssuer,
  http: HttpRequest,
  jwksUri: string,
): Promise<HttpResponse | undefined> {
  if (http.path === configurationPath)
    return documentResponse('application/json', await issuer.configuration(jwksUri));
  if (http.path === keySetPath) return documentResponse('application/jwk-set+json', await issuer.keySet());
  return undefined;
}

function documentResponse(
  contentType: string,
  document: Awaited<ReturnType<AccountIssuer['keySet']>>,
): HttpResponse {
  const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=3600' };
  return { status: 200, headers, body: encodeJson(document) };
}
