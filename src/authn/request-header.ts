import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../auth/index.ts';

/** The headers by which an authenticating proxy names the user. Header names are in lower case. */
interface RequestHeaderOptions {
  /** Whether a certificate chain, given by fingerprints, contains a CA of proxies. */
  readonly isTrusted: (chain: readonly string[]) => boolean;
  /** The allowed common names of proxies; all if empty. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/**
 * Trusts the headers of a proxy that presents a certificate of the proxy CA. Headers of other clients are ignored.
 * Source: apiserver, authentication/request/headerrequest.
 */
export class RequestHeaderAuthenticator implements Authenticator {
  readonly #options: RequestHeaderOptions;

  constructor(options: RequestHeaderOptions) {
    this.#options = options;
  }

  authenticate(credentials: Credentials): Authentication | undefined {
    const { certificate } = credentials;
    if (certificate === undefined || certificate.fault !== undefined) return undefined;
    const { isTrusted, allowedNames, userHeaders, uidHeaders } = this.#options;
    if (!isTrusted(certificate.chain)) return undefined;
    if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName))
      throw new BadCredentialsError(
        `x509: subject with cn=${certificate.commonName} is not in the allowed list`,
      );
    const name = firstOf(credentials, userHeaders);
    if (name === '') return undefined;
    const uid = firstOf(credentials, uidHeaders);
    const extra = this.#extraOf(credentials);
    const user = {
      name,
      ...(uid === '' ? {} : { uid }),
      groups: this.#groupsOf(credentials),
      ...(extra.size === 0 ? {} : { extra }),
    };
    return Object.freeze({ user: Object.freeze(user), expiresAtMs: certificate.expiresAtMs });
  }

  #groupsOf({ headersFrom }: Credentials): string[] {
    return this.#options.groupHeaders.flatMap((header) =>
      headersFrom(header).flatMap(([name, value]) => (name === header && value !== '' ? [value] : [])),
    );
  }

  #extraOf({ headersFrom }: Credentials): ReadonlyMap<string, readonly string[]> {
    const extra = new Map<string, string[]>();
    for (const prefix of this.#options.extraPrefixes) {
      for (const [name, value] of headersFrom(prefix)) {
        const key = unescaped(name.slice(prefix.length));
        if (key !== '') extra.set(key, [...(extra.get(key) ?? []), value]);
      }
    }
    return extra;
  }
}

function firstOf({ header }: Credentials, names: readonly string[]): string {
  for (const name of names) {
    const value = header(name)?.trim() ?? '';
    if (value !== '') return value;
  }
  return '';
}

/** Keys may contain characters that header names cannot. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
