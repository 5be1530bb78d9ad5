import {
  addQuantities,
  counterNamed,
  isInScopes,
  quantityTextOf,
  type QuotaCounter,
  wholeQuantity,
} from '../admission/index.ts';
import { equal, type JsonObject, type KubeObject, namespaceOf, ownObject } from '../meta/index.ts';
import type { RequestContext } from '../registry/index.ts';
import type { CollectionRevision } from './change-notifier.ts';
import { servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { RunningController } from './idle-state.ts';
import { runStatusController } from './status-controller.ts';

/**
 * Counts what the objects of a namespace use of its quotas, and writes it to their status: when a quota is created or
 * changed, and after objects that it counts were created or deleted. Admission adds objects that are being created.
 * Source: kubernetes, pkg/controller/resourcequota.
 */
export function runResourceQuota(parts: ControllerParts): RunningController {
  return runStatusController(parts, {
    resource: { group: '', version: 'v1', resource: 'resourcequotas' },
    restMsMin: 20,
    needsComputation: (quota) => !equal(limitsOf(quota, 'spec'), limitsOf(quota, 'status')),
    compute: async (quota, context) => {
      const count = new Count(parts, quota, context);
      const status = { hard: limitsOf(quota, 'spec'), used: await count.used() };
      return { status, collections: count.collections };
    },
    isUpToDate: (quota, status) => equal(status, ownObject(quota, 'status') ?? {}),
  });
}

function limitsOf(quota: KubeObject, part: 'spec' | 'status'): JsonObject {
  return ownObject(ownObject(quota, part) ?? {}, 'hard') ?? {};
}

type Sums = Map<string, ReturnType<typeof wholeQuantity>>;

/** Counts once for one quota. */
class Count {
  /** The counted collections with their revisions. */
  readonly collections: CollectionRevision[] = [];
  readonly #parts: ControllerParts;
  readonly #quota: KubeObject;
  readonly #context: RequestContext;

  constructor(parts: ControllerParts, quota: KubeObject, context: RequestContext) {
    this.#parts = parts;
    this.#quota = quota;
    this.#context = context;
  }

  /** The usage by name, without names that no counter counts. */
  async used(): Promise<JsonObject> {
    const names = Object.keys(limitsOf(this.#quota, 'spec'));
    const counters = new Map<string, QuotaCounter>();
    for (const counter of names.map(counterNamed)) {
      if (counter !== undefined)
        counters.set(`${counter.resource.resource}.${counter.resource.group}`, counter);
    }
    const sums: Sums = new Map();
    for (const counter of counters.values()) await this.#add(counter, names, sums);
    return Object.fromEntries([...sums].map(([name, sum]) => [name, quantityTextOf(sum)]));
  }

  /** Adds up the names that a counter counts. */
  async #add(counter: QuotaCounter, names: readonly string[], sums: Sums): Promise<void> {
    const target = await this.#targetOf(counter);
    if (target === undefined) return;
    for (const name of names) if (counter.counts(name)) sums.set(name, wholeQuantity(0));
    const { objects, revision } = await this.#parts.registry.listStored(target, this.#context);
    this.collections.push({ target, revision });
    for (const object of objects.filter((one) => isInScopes(this.#quota, counter, one))) {
      for (const [name, quantity] of counter.usage(object)) {
        const sum = sums.get(name);
        if (sum !== undefined) sums.set(name, addQuantities(sum, quantity));
      }
    }
  }

  /** Undefined for a resource that is not served, or not in namespaces. */
  async #targetOf({ resource: { group, resource } }: QuotaCounter) {
    const { resources } = await this.#parts.registry.freshCatalog();
    const found = resources.find(({ type }) => type.group === group && type.resource === resource);
    const version = found?.type.versions.find(({ served }) => served);
    if (found === undefined || version === undefined || !found.type.namespaced) return undefined;
    const name = { group, version: version.name, resource };
    return servedTarget(this.#parts.registry, name, namespaceOf(this.#quota));
  }
}
