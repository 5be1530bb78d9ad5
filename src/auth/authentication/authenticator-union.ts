import {
  anonymousUser,
  type Authentication,
  authenticatedUser,
  BadCredentialsError,
} from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { Credentials } from './credentials.ts';

type Outcome = Authentication | undefined | Promise<Authentication | undefined>;

/** How a union treats requests whose user no authenticator knows. */
interface UnionOptions {
  /** Whether a request without credentials is authenticated as `system:anonymous`. */
  readonly anonymous: (credentials: Credentials) => boolean;
}

/**
 * Asks authenticators in order; the first that knows the user decides. A bad bearer token beside a valid certificate is
 * ignored, because the certificate is asked first. Bad credentials are refused unless another authenticator accepts the
 * request; they never become the anonymous user.
 * Source: apiserver, authentication/request/union; kubernetes, pkg/kubeapiserver/authenticator/config.go.
 */
export class AuthenticatorUnion implements Authenticator {
  readonly #authenticators: readonly Authenticator[];
  readonly #options: UnionOptions;
  /** Users with the added group. The users of certificates are the same object for each request. */
  readonly #known = new WeakMap<Authentication, Authentication>();

  constructor(authenticators: readonly Authenticator[], options: UnionOptions) {
    this.#authenticators = Object.freeze([...authenticators]);
    this.#options = options;
  }

  /** @throws {BadCredentialsError} if no authenticator knows the user and at least one reports bad credentials */
  authenticate(credentials: Credentials): Outcome {
    return this.#askFrom(0, credentials, []);
  }

  onChange(listener: () => void): () => void {
    const ends = this.#authenticators.flatMap((authenticator) => authenticator.onChange?.(listener) ?? []);
    return () => {
      for (const end of ends) end();
    };
  }

  #askFrom(start: number, credentials: Credentials, failures: BadCredentialsError[]): Outcome {
    for (let at = start; at < this.#authenticators.length; at += 1) {
      const found = this.#ask(at, credentials, failures);
      if (found instanceof Promise) {
        return found.then((user) =>
          user ? this.#grouped(user) : this.#askFrom(at + 1, credentials, failures),
        );
      }
      if (found !== undefined) return this.#grouped(found);
    }
    const [first] = failures;
    if (first !== undefined) throw first;
    return this.#options.anonymous(credentials) ? anonymous : undefined;
  }

  #ask(at: number, credentials: Credentials, failures: BadCredentialsError[]): Outcome {
    const note = (error: unknown) => {
      if (!(error instanceof BadCredentialsError)) throw error;
      failures.push(error);
      return undefined;
    };
    try {
      const found = this.#authenticators[at]?.authenticate(credentials);
      return found instanceof Promise ? found.catch(note) : found;
    } catch (error) {
      return note(error);
    }
  }

  #grouped(found: Authentication): Authentication {
    const known = this.#known.get(found);
    if (known !== undefined) return known;
    const grouped = Object.freeze({ ...found, user: authenticatedUser(found.user) });
    this.#known.set(found, grouped);
    return grouped;
  }
}

const anonymous: Authentication = Object.freeze({ user: anonymousUser });
