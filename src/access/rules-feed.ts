import { setTimeout as sleep } from 'node:timers/promises';
import { AccessRules, type RulesSource } from '../auth/index.ts';
import { type KubeObject, limits } from '../meta/index.ts';
import { decodeStoredValue, type Registry } from '../registry/index.ts';
import {
  type AccessResource,
  accessResources,
  type ObjectPlace,
  placeOf,
  rbacGroup,
} from './access-resources.ts';
import type { Committed } from './observed-store.ts';

/** The delay before an interrupted watch is opened again. */
const retryMs = 50;

interface RulesFeedOptions {
  readonly registry: () => Registry;
  /** Called with every interruption, and with unreadable stored objects. */
  readonly onTrouble: (error: unknown) => void;
  /** The writes of all threads of the server; by default there is one. */
  readonly writes?: RoleWrites | undefined;
}

/** The last revisions at which the threads of a server wrote each of {@link accessResources}, by index. */
export interface RoleWrites {
  /** Notes a write, before it is acknowledged. */
  note(index: number, revision: number): void;
  latest(index: number): number;
}

/**
 * Follows the stored access rules. It loads them on first use, then watches the storage, and applies the writes of
 * this thread at once: a role takes effect for the first request after its acknowledgement. Requests wait for those of
 * other threads of the server; roles written by another server on the same storage take effect when the watch delivers
 * them.
 */
export class RulesFeed implements RulesSource {
  readonly rules = new AccessRules();
  readonly #options: RulesFeedOptions;
  readonly #abort = new AbortController();
  /** The newest applied revision of each key; that of deleted ones until the watch has reached it. */
  readonly #revisions = new Map<string, number>();
  readonly #deleted = new Set<string>();
  /** The revisions that the watch has reached, by index of the resource. */
  readonly #reached: number[] = accessResources.map(() => 0);
  readonly #waiting = new Set<() => void>();
  #loading: Promise<void> | undefined;
  #loaded = false;
  #following: Promise<unknown> = Promise.resolve();

  constructor(options: RulesFeedOptions) {
    this.#options = options;
  }

  loading(): Promise<void> | undefined {
    if (this.#loaded) return this.#isBehind() ? this.#caughtUp() : undefined;
    this.#loading ??= this.#start();
    return this.#loading;
  }

  /** Applies a write of this server. */
  committed({ key, value, revision }: Committed): void {
    const index = accessResources.findIndex(({ prefix }) => key.startsWith(prefix));
    const resource = accessResources[index];
    if (resource === undefined) return;
    this.#options.writes?.note(index, revision);
    if (this.#loading === undefined) return;
    this.#take(resource, { key, revision, object: value === null ? undefined : this.#decode(value) });
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#following;
  }

  async #start(): Promise<void> {
    const loads = accessResources.map((resource) => this.#followResource(resource));
    this.#following = Promise.all(loads.map(({ done }) => done));
    await Promise.all(loads.map(({ loaded }) => loaded));
    this.#loaded = true;
  }

  #followResource(resource: AccessResource): { loaded: Promise<void>; done: Promise<void> } {
    let onLoaded: () => void = () => {};
    const loaded = new Promise<void>((resolve) => {
      onLoaded = resolve;
    });
    return { loaded, done: this.#follow(resource, onLoaded).finally(onLoaded) };
  }

  async #follow(resource: AccessResource, onLoaded: () => void): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#followOnce(resource, onLoaded);
      } catch (error) {
        if (!signal.aborted) this.#options.onTrouble(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followOnce(resource: AccessResource, onLoaded: () => void): Promise<void> {
    const { signal } = this.#abort;
    const registry = this.#options.registry();
    const served = registry.catalog.find(rbacGroup, 'v1', resource.resource);
    if (served === undefined) return onLoaded();
    const seen = new Set<string>();
    for await (const { changes, revision, initial } of registry.storedChanges(signal, served.resource)) {
      for (const change of changes) {
        if (initial) seen.add(change.key);
        const object = change.gone ? undefined : change.shared();
        this.#take(resource, { key: change.key, revision: change.revision, object });
      }
      if (initial && revision > 0) this.#dropVanished(resource, seen, revision);
      if (revision > 0) this.#forgetDeleted(resource, revision);
      this.#reach(resource, revision);
      if (initial && revision > 0) onLoaded();
    }
  }

  /** Whether a thread has written a role that the watch has not delivered. */
  #isBehind(): boolean {
    const { writes } = this.#options;
    return writes !== undefined && this.#reached.some((revision, index) => revision < writes.latest(index));
  }

  #reach(resource: AccessResource, revision: number): void {
    const index = accessResources.indexOf(resource);
    this.#reached[index] = Math.max(this.#reached[index] ?? 0, revision);
    if (this.#waiting.size > 0 && !this.#isBehind()) for (const go of this.#waiting) go();
  }

  /** Waits for the watch; if the storage is unreachable, requests go by the rules that are known. */
  #caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, limits.freshnessWaitMsMax);
      this.#waiting.add(go);
    });
  }

  /** The watch no longer delivers older changes. */
  #forgetDeleted({ prefix }: AccessResource, revision: number): void {
    for (const key of this.#deleted) {
      if (!key.startsWith(prefix) || (this.#revisions.get(key) ?? 0) > revision) continue;
      this.#revisions.delete(key);
      this.#deleted.delete(key);
    }
  }

  /** After an interruption: objects that are missing now were deleted meanwhile. */
  #dropVanished(resource: AccessResource, seen: ReadonlySet<string>, revision: number): void {
    for (const key of [...this.#revisions.keys()]) {
      if (key.startsWith(resource.prefix) && !seen.has(key)) {
        this.#take(resource, { key, revision, object: undefined });
      }
    }
  }

  /** Applies a state of an object, unless a newer one was applied. */
  #take(
    resource: AccessResource,
    { key, revision, object }: { key: string; revision: number; object: KubeObject | undefined },
  ): void {
    if ((this.#revisions.get(key) ?? 0) >= revision) return;
    this.#revisions.set(key, revision);
    if (object === undefined) this.#deleted.add(key);
    else this.#deleted.delete(key);
    const place = placeOf(key, resource);
    if (place === undefined) return;
    if (object === undefined) resource.drop(this.rules, place);
    else this.#put(resource, place, object);
  }

  /** An unreadable object grants nothing. */
  #put(resource: AccessResource, place: ObjectPlace, object: KubeObject): void {
    try {
      resource.put(this.rules, place, object);
    } catch (error) {
      resource.drop(this.rules, place);
      this.#options.onTrouble(error);
    }
  }

  #decode(value: Uint8Array): KubeObject | undefined {
    try {
      return decodeStoredValue(value);
    } catch (error) {
      this.#options.onTrouble(error);
      return undefined;
    }
  }
}
