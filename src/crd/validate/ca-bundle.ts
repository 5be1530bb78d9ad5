import { X509Certificate } from 'node:crypto';
import { type JsonObject, type KubeObject, ownObject, readPem } from '../../meta/index.ts';
import { specOf, textOf } from '../spec-view.ts';

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    // OpenSSL's reasons are not Go's; that it is none is all that counts.
    return false;
  }
}

/**
 * Why the certificates of a webhook, in base64, cannot be used; undefined where they can, or there are none: then the
 * roots of the system count.
 */
export function caBundleProblem(caBundle: string): string | undefined {
  if (caBundle === '') return undefined;
  const { blocks, hasRest } = readPem(Buffer.from(caBundle, 'base64').toString('latin1'));
  const candidates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (candidates.some(({ der }) => isCertificate(der))) return undefined;
  // Go reads on behind the last block, and complains if something is left.
  const otherwise = hasRest
    ? 'unable to parse bytes as PEM block'
    : 'no valid certificate authority data seen';
  const why = candidates.length > 0 ? 'failed to parse certificate: x509: malformed certificate' : otherwise;
  return `unable to load root certificates: ${why}`;
}

/** `spec.conversion.webhook.clientConfig`, undefined where there is none. */
export function clientConfigOf(spec: JsonObject): JsonObject | undefined {
  const conversion = ownObject(spec, 'conversion');
  const webhook = conversion === undefined ? undefined : ownObject(conversion, 'webhook');
  return webhook === undefined ? undefined : ownObject(webhook, 'clientConfig');
}

/** True where the conversion webhook of a CRD has no certificates, or good ones: only then may it be established. */
export function hasUsableCaBundle(crd: KubeObject): boolean {
  const config = clientConfigOf(specOf(crd));
  return config === undefined || caBundleProblem(textOf(config, 'caBundle')) === undefined;
}
