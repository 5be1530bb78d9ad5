import { TokenObjects } from '../access/index.ts';
import { AccountAuthenticator, AccountIssuer, passingKeys, type SigningKeys } from '../auth/index.ts';
import { type Clock, invariant } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** How the tokens of service accounts are made. */
export interface ServiceAccountOptions {
  /** The keys of the tokens; one that goes with the server where it is left out. */
  readonly keys?: SigningKeys;
  /** Who signs: the first one; tokens of the others count, too. */
  readonly issuers?: readonly string[];
  /** Whom tokens are for that name nobody; the first issuer by default. */
  readonly audiences?: readonly string[];
  /** Where others find the keys; this server by default. */
  readonly jwksUri?: string;
  /** Longer lives of tokens are cut. */
  readonly maxExpirationSeconds?: number;
  /** Makes the ServiceAccount `default` in each namespace. Off by default, as envtest has none; on in `ilk serve`. */
  readonly defaultAccounts?: boolean;
}

/** As kubeadm names it. */
const usualIssuer = 'https://kubernetes.default.svc.cluster.local';

/** The issuers of a server's service accounts, and the audiences that it judges tokens as. */
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

/** The service accounts of a server: who makes their tokens, and who knows them. */
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

  /** Begins to serve a registry. Nothing is read before a token comes. */
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
