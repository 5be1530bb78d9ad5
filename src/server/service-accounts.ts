import { TokenObjects } from '../access/index.ts';
import { AccountAuthenticator, AccountIssuer, passingKeys, type SigningKeys } from '../auth/index.ts';
import { type Clock, invariant } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** How service account tokens are signed and verified. */
export interface ServiceAccountOptions {
  /** The keys of the tokens; by default a new one for the life of the server. */
  readonly keys?: SigningKeys;
  /** The first key signs; tokens of the others are accepted too. */
  readonly issuers?: readonly string[];
  /** The audiences of tokens that name none; the first issuer by default. */
  readonly audiences?: readonly string[];
  /** The URL of the public keys; this server by default. */
  readonly jwksUri?: string;
  /** The maximum lifetime of tokens. */
  readonly maxExpirationSeconds?: number;
  /** Creates the ServiceAccount `default` in each namespace. Off by default, as in envtest; on in `ilk serve`. */
  readonly defaultAccounts?: boolean;
}

/** kubeadm's name. */
const usualIssuer = 'https://kubernetes.default.svc.cluster.local';

/** The token issuers of a server, and the audiences that it accepts. */
export function audiencesOf({
  issuers = [usualIssuer],
  audiences = issuers.slice(0, 1),
}: ServiceAccountOptions) {
  return { ownIssuers: issuers, audiences };
}

interface ServiceAccountParts {
  readonly clock: Clock;
  readonly onTrouble: (error: unknown) => void;
}

/** The service accounts of a server: signs and authenticates their tokens. */
export class ServiceAccounts {
  readonly issuer: AccountIssuer;
  readonly authenticator: AccountAuthenticator;
  readonly jwksUri: string | undefined;
  readonly #objects: TokenObjects;
  #registry: Registry | undefined;

  constructor(options: ServiceAccountOptions, { clock, onTrouble }: ServiceAccountParts) {
    const { keys = passingKeys(), maxExpirationSeconds } = options;
    const { ownIssuers: issuers, audiences } = audiencesOf(options);
    const tokens = {
      keys,
      issuers,
      audiences,
      ...(maxExpirationSeconds && { maxExpirationSeconds }),
      clock,
    };
    this.jwksUri = options.jwksUri;
    this.#objects = new TokenObjects({ registry: () => this.#servedRegistry(), onTrouble });
    this.issuer = new AccountIssuer(tokens);
    this.authenticator = new AccountAuthenticator(tokens, this.#objects);
  }

  /** Starts to read accounts from a registry. Nothing is read before the first token. */
  serve(registry: Registry): void {
    this.#registry = registry;
  }

  async close(): Promise<void> {
    this.authenticator.close();
    await this.#objects.close();
  }

  #servedRegistry(): Registry {
    invariant(this.#registry !== undefined, 'a server knows tokens once it serves');
    return this.#registry;
  }
}
