import { type KubeObject, metadataOf, own, stringList } from '../meta/index.ts';
import {
  needsWebhook,
  type Registry,
  type RequestContext,
  type Resource,
  type Target,
  targetOf,
} from '../registry/index.ts';
import type { CollectionRevision } from './change-notifier.ts';
import { clearCollection, type Remaining } from './clear-collection.ts';
import type { DeletionReport } from './namespace-conditions.ts';

/** What one round of deleting left behind. */
export interface ContentRound extends DeletionReport {
  /** The collections that are not empty, to wait for. */
  readonly moments: readonly CollectionRevision[];
}

/**
 * Deletes everything in a namespace: pods first, and nothing else while one is left, so that nothing that pods rely on,
 * such as network policies, goes before them (CVE-2024-7598).
 * Source: kubernetes, pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
export async function clearNamespace(
  registry: Registry,
  namespace: string,
  context: RequestContext,
): Promise<ContentRound> {
  const round = new Round(registry, namespace, context);
  const { resources } = await registry.freshCatalog();
  const namespaced = resources.filter(({ type }) => type.namespaced);
  for (const resource of namespaced.filter(isPods)) await round.clear(resource);
  // The number of pods is not reported while pods delay all other deletions.
  if (round.moments.length > 0) return { ...round.outcome(), remaining: new Map(), finalizers: new Map() };
  for (const resource of namespaced.filter((one) => !isPods(one))) await round.clear(resource);
  return round.outcome();
}

function isPods({ type }: Resource): boolean {
  return type.group === '' && type.resource === 'pods';
}

class Round {
  readonly moments: CollectionRevision[] = [];
  readonly #registry: Registry;
  readonly #namespace: string;
  readonly #context: RequestContext;
  readonly #errors: string[] = [];
  readonly #remaining = new Map<string, number>();
  readonly #finalizers = new Map<string, number>();

  constructor(registry: Registry, namespace: string, context: RequestContext) {
    this.#registry = registry;
    this.#namespace = namespace;
    this.#context = context;
  }

  outcome(): ContentRound {
    return {
      contentErrors: this.#errors,
      remaining: this.#remaining,
      finalizers: this.#finalizers,
      moments: this.moments,
    };
  }

  /** Failures are recorded, and the rest continues. */
  async clear(resource: Resource): Promise<void> {
    const target = targetIn(resource, this.#namespace);
    try {
      // Most kinds have nothing here: they are not even opened.
      if (!(await this.#registry.holdsObjects(target))) return;
      // No kubelet ends the pods.
      const options = {
        context: this.#context,
        propagationPolicy: 'Background',
        withoutGrace: resource.strategy.gracePeriodSeconds !== undefined,
      } as const;
      this.#note(target, await clearCollection(this.#registry, target, options));
    } catch (error) {
      this.#errors.push(error instanceof Error ? error.message : String(error));
    }
  }

  #note(target: Target, { objects, revision }: Remaining): void {
    if (objects.length === 0) return;
    const { group, resource } = target.type;
    this.moments.push({ target, revision });
    add(this.#remaining, `${resource}.${group}`, objects.length);
    const finalizers = objects.flatMap(finalizersOf);
    for (const finalizer of finalizers) add(this.#finalizers, finalizer, 1);
    if (finalizers.length > 0) return;
    const gvr = `${group}/${target.version.name}, Resource=${resource}`;
    this.#errors.push(`unexpected items still remain in namespace: ${this.#namespace} for gvr: ${gvr}`);
  }
}

/** In its preferred version; as it is stored where a CRD serves none, or where a webhook would have to convert it. */
function targetIn(resource: Resource, namespace: string): Target {
  const { type, epoch, changes } = resource;
  const stored = targetOf({ resource, type, version: type.storageVersion, epoch, changes }, namespace);
  const preferred = type.versions.find(({ served }) => served);
  return preferred === undefined || needsWebhook(stored) ? stored : { ...stored, version: preferred };
}

function finalizersOf(object: KubeObject): string[] {
  return stringList(own(metadataOf(object), 'finalizers'));
}

function add(totals: Map<string, number>, name: string, count: number): void {
  totals.set(name, (totals.get(name) ?? 0) + count);
}
