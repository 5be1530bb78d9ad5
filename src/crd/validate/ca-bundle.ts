import { X509Certificate } from 'node:crypto';
import { type JsonObject, type KubeObject, ownObject, readPem } from '../../meta/index.ts';
import { specOf, textOf } from '../spec-view.ts';

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    // OpenSSL's messages differ from Go's; only the refusal matters.
    return false;
  }
}

/**
 * The reason why a webhook's certificates, in base64, cannot be used; undefined if they can, or if there are none:
 * then the system's roots apply.
 */
export function caBundleProblem(caBundle: string): string | undefined {
  if (caBundle === '') return undefined;
  const { blocks, hasRest } = readPem(Buffer.from(caBundle, 'base64').toString('latin1'));
  const candidates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (candidates.some(({ der }) => isCertificate(der))) return undefined;
  // Go reads past the last block and refuses trailing data.
  const otherwise = hasRest
    ? 'unable to parse bytes as PEM block'
    : 'no valid certificate authority data seen';
  const why = candidates.length > 0 ? 'failed to parse certificate: x509: malformed certificate' : otherwise;
  return `unable to load root certificates: ${why}`;
}

/** `spec.conversion.webhook.clientConfig`, undefined if there is none. */
export function clientConfigOf(spec: JsonObject): JsonObject | undefined {
  const conversion = ownObject(spec, 'conversion');
  const webhook = conversion === undefined ? undefined : ownObject(conversion, 'webhook');
  return webhook === undefined ? undefined : ownObject(webhook, 'clientConfig');
}

/** True if the conversion webhook of a CRD has no certificates or valid ones: otherwise the CRD is not established. */
export function hasUsableCaBundle(crd: KubeObject): boolean {
  const config = clientConfigOf(specOf(crd));
  return config === undefined || caBundleProblem(textOf(config, 'caBundle')) === undefined;
}
