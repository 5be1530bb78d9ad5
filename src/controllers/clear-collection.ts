import {
  type DeleteOptions,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  type PropagationPolicy,
} from '../meta/index.ts';
import {
  type Registry,
  type RequestContext,
  type StoredList,
  type Target,
  targetAsStored,
} from '../registry/index.ts';
import { isNotFound } from './client.ts';

/** The objects that remain after their deletion was requested; only their metadata matter, in any version. */
export type Remaining = StoredList;

interface ClearOptions {
  readonly context: RequestContext;
  /** Does not wait for the objects' own finalizers. */
  readonly propagationPolicy?: PropagationPolicy;
  readonly withoutAdmission?: boolean;
  /** True to delete with a grace period of 0, including objects that are already marked with a longer one. */
  readonly withoutGrace?: boolean;
}

/** The number of concurrent deletes: the store groups concurrent commits. */
const deletesMax = 64;

/**
 * Deletes every object of a collection, of all namespaces where the target names none, and gives what finalizers hold.
 *
 * @throws {ClearError} with every refusal
 */
export async function clearCollection(
  registry: Registry,
  target: Target,
  options: ClearOptions,
): Promise<Remaining> {
  const present = await registry.listStored(target, options.context);
  const wanted = present.objects.filter((object) => isToDelete(object, options));
  if (wanted.length === 0) return present;
  const failures: unknown[] = [];
  for (let start = 0; start < wanted.length; start += deletesMax) {
    const batch = wanted.slice(start, start + deletesMax);
    const results = await Promise.allSettled(
      batch.map((object) => remove(registry, target, object, options)),
    );
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw new ClearError(failures);
  return registry.listStored(target, options.context);
}

function isToDelete(object: KubeObject, { withoutGrace = false }: ClearOptions): boolean {
  const metadata = metadataOf(object);
  if (own(metadata, 'deletionTimestamp') === undefined) return true;
  return withoutGrace && Number(own(metadata, 'deletionGracePeriodSeconds') ?? 0) > 0;
}

async function remove(
  registry: Registry,
  target: Target,
  object: KubeObject,
  { context, propagationPolicy, withoutAdmission = false, withoutGrace = false }: ClearOptions,
): Promise<void> {
  const one = { ...target, namespace: namespaceOf(object), name: nameOf(object), endpoint: '' } as const;
  try {
    await registry.delete({
      target: targetAsStored(one, object),
      options: deleteOptions({ propagationPolicy, ...(withoutGrace ? { gracePeriodSeconds: 0 } : {}) }),
      context,
      withoutAdmission,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Options of a delete of a controller's own. */
export function deleteOptions(options: {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: DeleteOptions['preconditions'];
  readonly gracePeriodSeconds?: number;
}): DeleteOptions {
  return {
    gracePeriodSeconds: options.gracePeriodSeconds,
    preconditions: options.preconditions ?? {},
    orphanDependents: undefined,
    propagationPolicy: options.propagationPolicy,
    dryRun: false,
    ignoreStoreReadErrorWithClusterBreakingPotential: false,
  };
}

/** Some deletes were refused; the text is Go's for an aggregate of errors. */
class ClearError extends Error {
  override readonly name = 'ClearError';

  constructor(failures: readonly unknown[]) {
    const texts = [...new Set(failures.map((one) => (one instanceof Error ? one.message : String(one))))];
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  }
}
