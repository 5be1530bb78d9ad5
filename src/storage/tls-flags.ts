import type { FlagValues, ReadFlagFile } from './driver.ts';
import { fileFlag } from './flag-values.ts';

/** Certificates as PEM. */
interface FlagCertificates {
  readonly caPem?: string;
  readonly certPem?: string;
  readonly keyPem?: string;
}

/**
 * What the files hold that `--<driver>-cafile`, `--<driver>-certfile` and `--<driver>-keyfile` name; nothing where none was given.
 *
 * @throws {Error} for a certificate without a key, and for a key without a certificate
 */
export async function tlsFlags(
  driver: string,
  flags: FlagValues,
  readFile: ReadFlagFile,
): Promise<{ readonly tls?: FlagCertificates }> {
  const [caPem, certPem, keyPem] = await Promise.all([
    fileFlag(flags, `${driver}Cafile`, readFile),
    fileFlag(flags, `${driver}Certfile`, readFile),
    fileFlag(flags, `${driver}Keyfile`, readFile),
  ]);
  if ((certPem === undefined) !== (keyPem === undefined)) {
    throw new Error(`--${driver}-certfile and --${driver}-keyfile need each other`);
  }
  if (caPem === undefined && certPem === undefined) return {};
  const pair = certPem !== undefined && keyPem !== undefined ? { certPem, keyPem } : {};
  return { tls: { ...(caPem !== undefined && { caPem }), ...pair } };
}
