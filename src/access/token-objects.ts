import { setTimeout as sleep } from 'node:timers/promises';
import type { BoundKind, LivingObject, LivingObjects } from '../auth/index.ts';
import { type KubeObject, metadataOf, metadataString, ownString, parseTime } from '../meta/index.ts';
import { type Registry, targetOf } from '../registry/index.ts';

/** The delay before an interrupted watch is opened again. */
const retryMs = 50;

const resources: Readonly<Record<BoundKind | 'ServiceAccount', string>> = {
  ServiceAccount: 'serviceaccounts',
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
};

interface TokenObjectsOptions {
  readonly registry: () => Registry;
  /** Called with every interruption. */
  readonly onTrouble: (error: unknown) => void;
}

/** The stored objects that service account tokens refer to; watched while there is a listener. */
export class TokenObjects implements LivingObjects {
  readonly #options: TokenObjectsOptions;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  #following: Promise<unknown> | undefined;

  constructor(options: TokenObjectsOptions) {
    this.#options = options;
  }

  async find(
    kind: keyof typeof resources,
    namespace: string,
    name: string,
  ): Promise<LivingObject | undefined> {
    const registry = this.#options.registry();
    const served = registry.catalog.find('', 'v1', resources[kind]);
    if (served === undefined || name === '') return undefined;
    const object = await registry.readStored(targetOf(served, namespace), name);
    return object && livingObject(object);
  }

  onGone(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#following ??= Promise.all(Object.values(resources).map((resource) => this.#follow(resource)));
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#following;
  }

  async #follow(resource: string): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#followOnce(resource);
      } catch (error) {
        if (!signal.aborted) this.#options.onTrouble(error);
      }
      // An object may have been deleted before the watch began.
      if (!signal.aborted) this.#tell();
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followOnce(resource: string): Promise<void> {
    const registry = this.#options.registry();
    const served = registry.catalog.find('', 'v1', resource);
    if (served === undefined) return;
    for await (const { changes } of registry.storedChanges(this.#abort.signal, served.resource)) {
      if (changes.some(({ gone }) => gone)) this.#tell();
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function livingObject(object: KubeObject): LivingObject {
  const deleted = ownString(metadataOf(object), 'deletionTimestamp');
  return {
    uid: metadataString(object, 'uid') ?? '',
    deletedAtMs: deleted === undefined ? undefined : parseTime(deleted),
  };
}
