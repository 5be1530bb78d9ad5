import { limits } from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import { keepForm, type Representations } from '../representation/representation.ts';
import type { ViewEntry } from '../../cache/index.ts';
import { inSlices, type RegistryParts } from '../write/registry-parts.ts';
import { storedEntry } from '../selection/stored-snapshot.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { absentObject } from './absent-object.ts';
import { waitForVersion } from '../resource/view-wait.ts';

export interface GetRequest {
  readonly target: ObjectTarget;
  /** As in the query: empty for the latest state, `0` for any cached state, otherwise that revision or later. */
  readonly resourceVersion: string;
  readonly context: RequestContext;
}

/** The dependencies of reads. */
export type GetParts = Pick<RegistryParts, 'store' | 'slices'>;

/**
 * GET of one object; a promise if it has to wait.
 *
 * @throws {StatusError} 404, 504 if the resourceVersion is not reached in time; also as a rejection
 */
export function getObject(parts: GetParts, request: GetRequest): ResponseObject | Promise<ResponseObject> {
  const { store } = parts;
  const { target, resourceVersion, context } = request;
  const { resource, namespace, name } = target;
  const key = resource.key(namespace, name);
  if (resourceVersion === '' && !store.tellsTrueProgress)
    return storedEntry(store, resource, key).then((entry) => render(parts, entry, request));
  const waiting = waitForVersion(target, resourceVersion, context);
  if (waiting === undefined) return render(parts, resource.view.get(key), request);
  return waiting.then(() => render(parts, resource.view.get(key), request));
}

function render(
  parts: GetParts,
  entry: ViewEntry<Representations> | undefined,
  { target, context }: GetRequest,
): ResponseObject | Promise<ResponseObject> {
  if (entry === undefined) throw absentObject(target);
  const preparing = prepareRepresentations([entry], { served: target, context });
  if (preparing === undefined && entry.value.length < limits.pauseFromBytes)
    return renderEntry(entry, target);
  return renderLarge(parts, entry, { target, preparing });
}

/** In steps, if the object has not been decoded yet. */
async function renderLarge(
  parts: GetParts,
  entry: ViewEntry<Representations>,
  { target, preparing }: { readonly target: ObjectTarget; readonly preparing: Promise<void> | undefined },
): Promise<ResponseObject> {
  if (preparing !== undefined) await preparing;
  await inSlices(parts, entry.value.length, keepForm(entry, target));
  return renderEntry(entry, target);
}
