import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  givenKeys,
  KeyFolder,
  readSigningKey,
  readVerifyingKeys,
  type SigningKeys,
} from '../../auth/index.ts';
import { systemClock } from '../../meta/index.ts';
import type { ServiceAccountOptions } from '../../server.ts';
import { parseDuration } from './duration.ts';
import { readFlagFile } from './flag-file.ts';
import { words } from './flag-values.ts';

/** kube-apiserver's flags for service account tokens. */
export interface ServiceAccountFlags {
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountJwksUri?: string;
  /** In seconds. */
  readonly serviceAccountMaxTokenExpiration?: number;
  readonly apiAudiences: readonly string[];
}

export function addServiceAccountFlags(command: Command): Command {
  return command
    .option(
      '--service-account-signing-key-file <file>',
      'private key file that signs service account tokens (default: keys generated and rotated in <cert-dir>/service-accounts)',
    )
    .option(
      '--service-account-key-file <file>',
      'file of public keys that verify service account tokens; repeatable',
      words,
      [],
    )
    .option(
      '--service-account-issuer <url>',
      'issuer of service account tokens; tokens of additional issuers are accepted; repeatable',
      words,
      [],
    )
    .option(
      '--service-account-jwks-uri <url>',
      'URL of the JSON Web Key Set (default: /openid/v1/jwks of this server)',
    )
    .option(
      '--service-account-max-token-expiration <duration>',
      'maximum lifetime of a service account token; longer requests are shortened',
      expirationSeconds,
    )
    .option(
      '--api-audiences <list>',
      'audiences that tokens must be issued for (default: the first issuer)',
      words,
      [],
    );
}

function expirationSeconds(text: string): number {
  let seconds = Number.NaN;
  try {
    seconds = parseDuration(text) / 1000;
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  if (seconds < 3600 || seconds > 2 ** 32)
    throw new InvalidArgumentError('want between 1 hour and 2^32 seconds.');
  return seconds;
}

/** @throws {Error} that names the flag, for unreadable keys and invalid issuers */
export async function serviceAccountOptions(
  flags: ServiceAccountFlags,
  certDir: string,
): Promise<ServiceAccountOptions> {
  const { serviceAccountIssuer: issuers, apiAudiences: audiences } = flags;
  for (const issuer of issuers) checkIssuer(issuer);
  const { serviceAccountJwksUri: jwksUri, serviceAccountMaxTokenExpiration: maxExpirationSeconds } = flags;
  return {
    keys: await keysOf(flags, certDir),
    ...(issuers.length > 0 && { issuers }),
    ...(audiences.length > 0 && { audiences }),
    ...(jwksUri && { jwksUri }),
    ...(maxExpirationSeconds && { maxExpirationSeconds }),
    defaultAccounts: true,
  };
}

/** As upstream: an issuer that contains a colon must be a URL. */
function checkIssuer(issuer: string): void {
  if (issuer === '') throw new Error('--service-account-issuer must not be empty');
  if (issuer.includes(':') && !URL.canParse(issuer))
    throw new Error(`--service-account-issuer ${issuer}: contained a ':' but is no URL`);
}

async function keysOf(flags: ServiceAccountFlags, certDir: string): Promise<SigningKeys> {
  const { serviceAccountSigningKeyFile: signingFile, serviceAccountKeyFile: otherFiles } = flags;
  if (signingFile === undefined) {
    if (otherFiles.length > 0)
      throw new Error('--service-account-key-file needs --service-account-signing-key-file');
    return new KeyFolder(join(certDir, 'service-accounts'), systemClock);
  }
  const signing = await readKeys('--service-account-signing-key-file', signingFile, readSigningKey);
  const others = otherFiles.map((file) => readKeys('--service-account-key-file', file, readVerifyingKeys));
  return givenKeys(signing, (await Promise.all(others)).flat());
}

async function readKeys<T>(flag: string, file: string, read: (pem: string) => T): Promise<T> {
  const pem = await readFlagFile(flag, file);
  try {
    return read(pem);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${flag} ${file}: ${why}`, { cause: error });
  }
}
