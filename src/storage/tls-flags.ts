import type { FlagValues, ReadFlagFile, StorageDriver } from './driver.ts';
import { fileFlag } from './flag-values.ts';

/** Certificates as PEM. */
interface FlagCertificates {
  readonly caPem?: string;
  readonly certPem?: string;
  readonly keyPem?: string;
}

/**
 * The flags for the certificates of a database.
 *
 * @param server as the help calls it
 * @param certificates what the authority has signed: `etcd's certificates`
 */
export function tlsFlagForms(
  driver: string,
  server: string,
  certificates: string,
): StorageDriver<never>['flags'] {
  return [
    { form: `--${driver}-cafile <file>`, help: `CA file that verifies ${certificates}` },
    { form: `--${driver}-certfile <file>`, help: `client certificate file for ${server}` },
    { form: `--${driver}-keyfile <file>`, help: `private key file of --${driver}-certfile` },
  ];
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
