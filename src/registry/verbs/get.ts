import type { RequestContext } from '../request/context.ts';
import type { Representations } from '../representation/representation.ts';
import type { ViewEntry } from '../../cache/index.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import type { Store } from '../../storage/index.ts';
import { storedEntry } from '../selection/stored-snapshot.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { absentObject } from './absent-object.ts';
import { waitForVersion } from '../resource/view-wait.ts';

export interface GetRequest {
  readonly target: ObjectTarget;
  /** As the query gives it: empty for the latest state, `0` for whatever is at hand, else at least that one. */
  readonly resourceVersion: string;
  readonly context: RequestContext;
}

/** What reading takes. */
export type GetParts = Pick<RegistryParts, 'store'>;

/** GET of one object. @throws {StatusError} 404, 504 where the resourceVersion is not reached in time */
export async function getObject({ store }: GetParts, request: GetRequest): Promise<ResponseObject> {
  const { target, context } = request;
  const entry = await findEntry(store, request);
  if (entry === undefined) throw absentObject(target);
  const preparing = prepareRepresentations([entry], { served: target, context });
  if (preparing !== undefined) await preparing;
  return renderEntry(entry, target);
}

async function findEntry(
  store: Store,
  { target, resourceVersion, context }: GetRequest,
): Promise<ViewEntry<Representations> | undefined> {
  const { resource, namespace, name } = target;
  const key = resource.key(namespace, name);
  if (resourceVersion === '' && !store.tellsTrueProgress) return storedEntry(store, resource, key);
  await waitForVersion(target, resourceVersion, context);
  return resource.view.get(key);
}
