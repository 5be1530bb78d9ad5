import { ConfigurationError } from '../configuration-error.ts';
import { type IssuerConfig, signingAlgorithms } from './issuer-config.ts';

/** The values of the `--oidc-*` flags. */
interface IssuerFlags {
  readonly url: string;
  readonly clientId: string;
  readonly caPem: string | undefined;
  readonly usernameClaim: string;
  /** Undefined if the flag is not given; `-` for no prefix. */
  readonly usernamePrefix: string | undefined;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  readonly algorithms: readonly string[];
}

/**
 * The issuer of the `--oidc-*` flags. By default, user names that are not email addresses get the issuer as prefix.
 * Source: kubernetes, pkg/kubeapiserver/options/authentication.go.
 *
 * @throws {ConfigurationError}
 */
export function issuerOfFlags(flags: IssuerFlags): IssuerConfig {
  const { url, clientId, caPem, usernameClaim, groupsClaim, groupsPrefix } = flags;
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new ConfigurationError('--oidc-issuer-url: URL scheme must be https');
  if (clientId === '')
    throw new ConfigurationError('oidc-issuer-url and oidc-client-id must be specified together');
  const unknown = flags.algorithms.find((one) => !signingAlgorithms.includes(one));
  if (unknown !== undefined)
    throw new ConfigurationError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  return {
    url,
    discoveryUrl: undefined,
    caPem,
    audiences: [clientId],
    algorithms: flags.algorithms,
    username: { claim: usernameClaim, prefix: usernamePrefix(flags) },
    groups: groupsClaim === '' ? undefined : { claim: groupsClaim, prefix: groupsPrefix },
    uid: undefined,
    extra: [],
    claimRules: flags.requiredClaims.map(([claim, requiredValue]) => ({ claim, requiredValue })),
    userRules: [],
  };
}

function usernamePrefix({ usernamePrefix: prefix = '', usernameClaim, url }: IssuerFlags): string {
  if (prefix === '-') return '';
  return prefix === '' && usernameClaim !== 'email' ? `${url}#` : prefix;
}
