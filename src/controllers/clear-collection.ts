import {
  type DeleteOptions,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  type PropagationPolicy,
} from '../meta/index.ts';
import type { ListPage, Registry, RequestContext, Target } from '../registry/index.ts';
import { isNotFound } from './client.ts';

/** What is still there after everything was asked to go. */
export interface Remaining {
  readonly objects: readonly KubeObject[];
  /** The moment at which it was there: a watch from here on misses no deletion. */
  readonly revision: number;
}

export interface ClearOptions {
  readonly context: RequestContext;
  /** Left out: whatever the objects' own finalizers ask for. */
  readonly propagationPolicy?: PropagationPolicy;
  readonly withoutAdmission?: boolean;
}

/** Deletes under way at once: the store writes what comes together in one go. */
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
  const page = await registry.listAll(target, options.context);
  const wanted = objectsOf(page).filter(
    (object) => own(metadataOf(object), 'deletionTimestamp') === undefined,
  );
  if (wanted.length === 0) return { objects: objectsOf(page), revision: page.revision };
  const failures: unknown[] = [];
  for (let start = 0; start < wanted.length; start += deletesMax) {
    const batch = wanted.slice(start, start + deletesMax);
    const results = await Promise.allSettled(
      batch.map((object) => remove(registry, target, object, options)),
    );
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw new ClearError(failures);
  const rest = await registry.listAll(target, options.context);
  return { objects: objectsOf(rest), revision: rest.revision };
}

function objectsOf({ items }: ListPage): KubeObject[] {
  return items.map((item) => item.object());
}

async function remove(
  registry: Registry,
  target: Target,
  object: KubeObject,
  { context, propagationPolicy, withoutAdmission = false }: ClearOptions,
): Promise<void> {
  const one = { ...target, namespace: namespaceOf(object), name: nameOf(object), endpoint: '' } as const;
  try {
    await registry.delete({
      target: one,
      options: deleteOptions({ propagationPolicy }),
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
}): DeleteOptions {
  return {
    gracePeriodSeconds: undefined,
    preconditions: options.preconditions ?? {},
    orphanDependents: undefined,
    propagationPolicy: options.propagationPolicy,
    dryRun: false,
    ignoreStoreReadErrorWithClusterBreakingPotential: false,
  };
}

/** Some deletes were refused; the text is Go's for an aggregate of errors. */
export class ClearError extends Error {
  override readonly name = 'ClearError';

  constructor(failures: readonly unknown[]) {
    const texts = [...new Set(failures.map((one) => (one instanceof Error ? one.message : String(one))))];
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  }
}
