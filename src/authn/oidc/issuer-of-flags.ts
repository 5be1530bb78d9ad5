import { ConfigurationError } from '../configuration-error.ts';
import { type IssuerConfig, signingAlgorithms } from './issuer-config.ts';

/** What the flags `--oidc-*` say. */
interface IssuerFlags {
  readonly url: string;
  readonly clientId: string;
  readonly caPem: string | undefined;
  readonly usernameClaim: string;
  /** Undefined where the flag is not given; `-` for none. */
  readonly usernamePrefix: string | undefined;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  readonly algorithms: readonly string[];
}

/**
 * The issuer that flags name. A name that is no address gets the issuer as its prefix, unless the flags say otherwise.
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
