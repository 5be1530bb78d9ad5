import { X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Authenticator } from '../../auth/index.ts';
import {
  ConfigurationError,
  type IssuersParts,
  issuerOfFlags,
  makeIssuers,
  readAuthenticationConfiguration,
  ReplaceableAuthenticators,
  RequestHeaderAuthenticator,
  TokenWebhook,
} from '../../authn/index.ts';
import { limits } from '../../meta/index.ts';
import { readServiceKubeconfig, type RemoteService, ServiceClient } from '../../webhook/index.ts';
import { durationOption } from './duration.ts';
import { followFile, type Reloading } from './followed-file.ts';
import { readFlagFile } from './flag-file.ts';
import { words } from './flag-values.ts';

/** kube-apiserver's flags about those who vouch for users. */
export interface AuthenticationFlags {
  readonly authenticationConfig?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcCaFile?: string;
  readonly oidcUsernameClaim: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim: string;
  readonly oidcGroupsPrefix: string;
  readonly oidcRequiredClaim: readonly string[];
  readonly oidcSigningAlgs: readonly string[];
  readonly authenticationTokenWebhookConfigFile?: string;
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly anonymousAuth?: boolean;
}

export function addAuthenticationFlags(command: Command): Command {
  return addRequestHeaderFlags(addOidcFlags(command))
    .option('--authentication-config <file>', 'AuthenticationConfiguration file; reloaded when it changes')
    .option(
      '--authentication-token-webhook-config-file <file>',
      'kubeconfig of a webhook that authenticates tokens (TokenReview v1)',
    )
    .addOption(
      durationOption(
        '--authentication-token-webhook-cache-ttl <time>',
        'how long answers of that webhook are cached',
        '2m0s',
      ),
    );
}

function addOidcFlags(command: Command): Command {
  return command
    .option('--oidc-issuer-url <url>', 'OpenID Connect issuer whose ID tokens are accepted')
    .option('--oidc-client-id <id>', 'client ID that ID tokens must be issued for')
    .option('--oidc-ca-file <file>', 'CA file that verifies the issuer (default: the system CAs)')
    .option('--oidc-username-claim <claim>', 'claim that holds the user name', 'sub')
    .option('--oidc-username-prefix <text>', 'prefix of user names; - disables the default prefix')
    .option('--oidc-groups-claim <claim>', 'claim that holds the groups', '')
    .option('--oidc-groups-prefix <text>', 'prefix of group names', '')
    .option(
      '--oidc-required-claim <claim=value>',
      'claim that a token must have, with its value; repeatable',
      words,
      [],
    )
    .option('--oidc-signing-algs <list>', 'accepted signature algorithms (default: RS256)', words, []);
}

function addRequestHeaderFlags(command: Command): Command {
  return command
    .option(
      '--requestheader-client-ca-file <file>',
      'CA file that verifies client certificates of front proxies',
    )
    .option(
      '--requestheader-allowed-names <list>',
      'common names that front proxies may have (default: any)',
      words,
      [],
    )
    .option('--requestheader-username-headers <list>', 'headers that hold the user name', words, [])
    .option('--requestheader-uid-headers <list>', 'headers that hold the uid', words, [])
    .option('--requestheader-group-headers <list>', 'headers that hold the groups', words, [])
    .option(
      '--requestheader-extra-headers-prefix <list>',
      'prefixes of headers that hold extra attributes',
      words,
      [],
    );
}

/** The server options that result from the flags. */
interface AuthenticationChoice {
  readonly frontProxies: readonly Authenticator[];
  readonly remoteAuthenticators: readonly Authenticator[];
  /** Undefined if the configuration does not set it. */
  readonly anonymous:
    | { readonly enabled: boolean; readonly paths: readonly string[] | undefined }
    | undefined;
  /** Authorities of proxies, as PEM; empty for none. */
  readonly proxyCaPem: string;
}

interface AuthenticationParts extends IssuersParts {
  /** The issuers of service accounts. */
  readonly ownIssuers: readonly string[];
  readonly reloading: Reloading;
}

/** @throws {Error} which names the flag or the file that cannot be used */
export async function authenticationChoice(
  flags: AuthenticationFlags,
  parts: AuthenticationParts,
): Promise<AuthenticationChoice> {
  const { authenticationConfig: file, requestheaderClientCaFile: proxyCaFile } = flags;
  if (file !== undefined && flags.oidcIssuerUrl !== undefined)
    throw new Error('authentication-config file and oidc-* flags are mutually exclusive');
  const configured = file === undefined ? undefined : await configuredIssuers(file, parts);
  if (configured?.anonymous !== undefined && flags.anonymousAuth !== undefined)
    throw new Error(
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    );
  const issuers = configured?.authenticator ?? (await flagIssuers(flags, parts));
  const webhook = await tokenWebhook(flags, parts);
  const proxyCaPem =
    proxyCaFile === undefined ? '' : await readFlagFile('--requestheader-client-ca-file', proxyCaFile);
  return {
    frontProxies: proxyCaPem === '' ? [] : [requestHeader(flags, proxyCaPem)],
    remoteAuthenticators: [issuers, webhook].filter((one) => one !== undefined),
    anonymous: configured?.anonymous,
    proxyCaPem,
  };
}

async function configuredIssuers(path: string, parts: AuthenticationParts) {
  const read = async (text: string) => {
    const configuration = readAuthenticationConfiguration(text, parts.ownIssuers);
    return { ...configuration, made: makeIssuers(configuration.issuers, parts) };
  };
  const text = await readFlagFile('--authentication-config', path);
  const { made, anonymous } = await read(text).catch((error: unknown) => {
    throw withFlag(`--authentication-config ${path}`, error);
  });
  const authenticator = new ReplaceableAuthenticators(made);
  const use = async (now: string) => authenticator.replace((await read(now)).made);
  followFile({ what: 'authentication', flag: '--authentication-config', path, text, use }, parts.reloading);
  return { authenticator, anonymous };
}

async function flagIssuers(
  flags: AuthenticationFlags,
  parts: AuthenticationParts,
): Promise<Authenticator | undefined> {
  const { oidcIssuerUrl: url, oidcClientId: clientId = '', oidcCaFile, oidcSigningAlgs: algorithms } = flags;
  if (url === undefined) {
    if (clientId === '') return undefined;
    throw new Error('oidc-issuer-url and oidc-client-id must be specified together');
  }
  const config = issuerOfFlags({
    url,
    clientId,
    caPem: oidcCaFile === undefined ? undefined : await readFlagFile('--oidc-ca-file', oidcCaFile),
    usernameClaim: flags.oidcUsernameClaim,
    usernamePrefix: flags.oidcUsernamePrefix,
    groupsClaim: flags.oidcGroupsClaim,
    groupsPrefix: flags.oidcGroupsPrefix,
    requiredClaims: flags.oidcRequiredClaim.map(requiredClaim),
    algorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
  });
  return new ReplaceableAuthenticators(makeIssuers([config], parts));
}

function requiredClaim(text: string): readonly [string, string] {
  const [, claim, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (claim === undefined || value === undefined)
    throw new ConfigurationError(`--oidc-required-claim ${text}: want claim=value`);
  return [claim, value];
}

async function tokenWebhook(
  flags: AuthenticationFlags,
  { clock, audiences }: AuthenticationParts,
): Promise<Authenticator | undefined> {
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookCacheTtl: cacheMs } = flags;
  if (file === undefined) return undefined;
  const service = await serviceOfFlag('--authentication-token-webhook-config-file', file);
  const client = new ServiceClient(service, { timeoutMs: limits.reviewTimeoutMs });
  return new TokenWebhook({ client, clock, cacheMs, audiences });
}

/** The server that a kubeconfig names. @throws {Error} which names the flag */
export async function serviceOfFlag(flag: string, file: string): Promise<RemoteService> {
  const text = await readFlagFile(flag, file);
  const folder = dirname(resolve(file));
  try {
    return await readServiceKubeconfig(text, (path) => readFlagFile(flag, resolve(folder, path)));
  } catch (error) {
    throw withFlag(`${flag} ${file}`, error);
  }
}

function withFlag(flag: string, error: unknown): Error {
  return new Error(`${flag}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

function requestHeader(flags: AuthenticationFlags, caPem: string): Authenticator {
  const authorities = fingerprintsOf(caPem);
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  return new RequestHeaderAuthenticator({
    isTrusted: (chain) => chain.some((one) => authorities.has(one)),
    allowedNames: flags.requestheaderAllowedNames,
    userHeaders: lower(flags.requestheaderUsernameHeaders),
    uidHeaders: lower(flags.requestheaderUidHeaders),
    groupHeaders: lower(flags.requestheaderGroupHeaders),
    extraPrefixes: lower(flags.requestheaderExtraHeadersPrefix),
  });
}

/** The fingerprints of the certificates of a PEM file, as chains name them. @throws {Error} for an invalid certificate */
export function fingerprintsOf(pem: string): ReadonlySet<string> {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return new Set(
    blocks.map((block) => new X509Certificate(block).fingerprint256.replaceAll(':', '').toLowerCase()),
  );
}
