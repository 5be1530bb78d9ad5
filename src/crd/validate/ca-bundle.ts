import { X509Certificate } from 'node:crypto';
import { type JsonObject, type KubeObject, ownObject } from '../../meta/index.ts';
import { specOf, textOf } from '../spec-view.ts';

const fence = /^-----(BEGIN|END) (.*)-----$/;

interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

/** The blocks of a text, and whether anything stands behind the last; line by line, for the text may be hostile. */
function readPem(text: string): { readonly blocks: readonly PemBlock[]; readonly hasRest: boolean } {
  const blocks: PemBlock[] = [];
  let open: { readonly type: string; readonly lines: string[] } | undefined;
  let hasRest = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, edge, type = ''] = fence.exec(line.trimEnd()) ?? [];
    hasRest = true;
    if (edge === 'BEGIN') open = { type, lines: [] };
    else if (edge === 'END' && open?.type === type) {
      blocks.push(pemBlock(open.type, open.lines));
      open = undefined;
      hasRest = false;
    } else open?.lines.push(line);
  }
  return { blocks, hasRest };
}

function pemBlock(type: string, lines: readonly string[]): PemBlock {
  const hasHeaders = lines.some((line) => line.includes(':'));
  return { type, hasHeaders, der: Buffer.from(lines.join(''), 'base64') };
}

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
