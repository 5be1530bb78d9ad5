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
  ReplaceableAuthorizer,
} from '../auth/index.ts';
import { invariant } from '../meta/index.ts';
import type { GrantCheck, Registry } from '../registry/index.ts';
import type { Store } from '../storage/index.ts';
import type { ServerOptions } from './options.ts';

/** The authorizers of `--authorization-mode`, by upstream's names. */
export const authorizationModes = ['RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

const defaultAuthorizationModes: readonly AuthorizationMode[] = ['RBAC'];

const rbacText = 'authorizer type RBAC is not allowed if it was not enabled at initial server startup';

/** The authorizers of a server, and the rules of its roles. */
export class AccessControl {
  readonly authorizer: Authorizer;
  readonly grants: GrantCheck;
  readonly #feed: RulesFeed;
  readonly #usesRbac: boolean;
  readonly #rbac: RbacAuthorizer;
  #registry: Registry | undefined;

  constructor(options: ServerOptions) {
    const {
      authorizer,
      authorizationModes: modes = defaultAuthorizationModes,
      onTrouble = () => {},
      threads,
    } = options;
    this.#usesRbac = authorizer === undefined && modes.includes('RBAC');
    this.#feed = new RulesFeed({ registry: () => this.#servedRegistry(), onTrouble, writes: threads?.roles });
    this.#rbac = new RbacAuthorizer(this.#feed);
    const chosen = authorizer === undefined ? this.#authorizersOf(modes) : [authorizer];
    this.authorizer = new AuthorizerChain([authorizeMasters, ...this.#replaceable(chosen, options)]);
    this.grants = new EscalationCheck(this.#feed, this.authorizer);
  }

  /** The store of requests: rules that they write take effect at once. */
  observe(store: Store): Store {
    const prefixes = accessResources.map(({ prefix }) => prefix);
    return observedStore(store, prefixes, (committed) => this.#feed.committed(committed));
  }

  /** Starts to read rules from a registry. Nothing is read before the first use. */
  serve(registry: Registry): void {
    this.#registry = registry;
  }

  /** Creates the default roles and bindings, if RBAC is on. */
  async ensurePolicy(registry: Registry, signal: AbortSignal): Promise<void> {
    if (this.#usesRbac) await ensureBootstrapPolicy(registry, signal);
  }

  close(): Promise<void> {
    return this.#feed.close();
  }

  #replaceable(
    chosen: readonly Authorizer[],
    { onAuthorizationModes }: ServerOptions,
  ): readonly Authorizer[] {
    if (onAuthorizationModes === undefined) return chosen;
    const replaceable = new ReplaceableAuthorizer(new AuthorizerChain(chosen));
    onAuthorizationModes((modes) => {
      if (modes.includes('RBAC') && !this.#usesRbac) throw new Error(rbacText);
      replaceable.replace(new AuthorizerChain(this.#authorizersOf(modes)));
    });
    return [replaceable];
  }

  #authorizersOf(modes: readonly (AuthorizationMode | Authorizer)[]): Authorizer[] {
    return modes.map((mode) => this.#authorizerOf(mode));
  }

  #authorizerOf(mode: AuthorizationMode | Authorizer): Authorizer {
    if (typeof mode === 'object') return mode;
    switch (mode) {
      case 'RBAC':
        return this.#rbac;
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
