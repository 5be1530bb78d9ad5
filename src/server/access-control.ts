import {
  accessResources,
  ensureBootstrapPolicy,
  EscalationCheck,
  observedStore,
  RulesFeed,
} from '../access/index.ts';
import {
  alwaysAllow,
  alwaysDeny,
  type Authorizer,
  AuthorizerChain,
  authorizeMasters,
  RbacAuthorizer,
} from '../auth/index.ts';
import { invariant } from '../meta/index.ts';
import type { GrantCheck, Registry } from '../registry/index.ts';
import type { Store } from '../storage/index.ts';
import type { ServerOptions } from './options.ts';

/** The authorizers that `--authorization-mode` can name, in upstream's words. */
export const authorizationModes = ['RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

const defaultAuthorizationModes: readonly AuthorizationMode[] = ['RBAC'];

/** Who may do what on a server: its authorizers, and the rules behind them. */
export class AccessControl {
  readonly authorizer: Authorizer;
  readonly grants: GrantCheck;
  readonly #feed: RulesFeed;
  readonly #usesRbac: boolean;
  #registry: Registry | undefined;

  constructor(options: ServerOptions) {
    const {
      authorizer,
      authorizationModes: modes = defaultAuthorizationModes,
      onTrouble = () => {},
    } = options;
    this.#usesRbac = authorizer === undefined && modes.includes('RBAC');
    this.#feed = new RulesFeed({ registry: () => this.#servedRegistry(), onTrouble });
    const chosen = authorizer === undefined ? modes.map((mode) => this.#authorizerOf(mode)) : [authorizer];
    this.authorizer = new AuthorizerChain([authorizeMasters, ...chosen]);
    this.grants = new EscalationCheck(this.#feed, this.authorizer);
  }

  /** The store that requests write to: rules that they write count at once. */
  observe(store: Store): Store {
    const prefixes = accessResources.map(({ prefix }) => prefix);
    return observedStore(store, prefixes, (committed) => this.#feed.committed(committed));
  }

  /** Begins to serve a registry. Nothing is read before somebody asks. */
  serve(registry: Registry): void {
    this.#registry = registry;
  }

  /** Makes the roles and bindings that every server has, where roles decide. */
  async ensurePolicy(registry: Registry, signal: AbortSignal): Promise<void> {
    if (this.#usesRbac) await ensureBootstrapPolicy(registry, signal);
  }

  close(): Promise<void> {
    return this.#feed.close();
  }

  #authorizerOf(mode: AuthorizationMode | Authorizer): Authorizer {
    if (typeof mode === 'object') return mode;
    switch (mode) {
      case 'RBAC':
        return new RbacAuthorizer(this.#feed);
      case 'AlwaysAllow':
        return alwaysAllow;
      case 'AlwaysDeny':
        return alwaysDeny;
    }
  }

  #servedRegistry(): Registry {
    invariant(this.#registry !== undefined, 'a server asks for rules once it serves');
    return this.#registry;
  }
}
