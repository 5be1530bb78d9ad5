import { type DeleteOptions, type ListOptions, nameOf, namespaceOf, StatusError } from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import { deleteObject } from './delete.ts';
import { listObjects } from './list.ts';
import type { ListPage } from './page-builder.ts';
import { PageItems } from './page-items.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import type { ResponseObject } from '../representation/response-object.ts';
import type { Target } from '../resource/target.ts';

export interface DeleteCollectionRequest {
  readonly target: Target;
  readonly listOptions: ListOptions;
  readonly options: DeleteOptions;
  readonly context: RequestContext;
}

/**
 * DELETE of a collection: deletes every object of the list, one after the other; objects deleted meanwhile are
 * skipped.
 */
export async function deleteCollection(
  parts: RegistryParts,
  request: DeleteCollectionRequest,
): Promise<ListPage> {
  const { target, listOptions, context } = request;
  const page = await listObjects(parts, { target, options: listOptions, context });
  const deleted: ResponseObject[] = [];
  let byteLength = 0;
  for (const item of page.items) {
    context.signal.throwIfAborted();
    await parts.slices?.pause();
    const result = await deleteItem(parts, request, item);
    if (result === undefined) continue;
    deleted.push(result);
    byteLength += result.length();
  }
  return { ...page, items: PageItems.of(deleted, byteLength) };
}

async function deleteItem(
  parts: RegistryParts,
  { target, options, context }: DeleteCollectionRequest,
  item: ResponseObject,
): Promise<ResponseObject | undefined> {
  const object = item.object();
  const one = { ...target, name: nameOf(object), namespace: namespaceOf(object), endpoint: '' as const };
  try {
    const { responseObject } = await deleteObject(parts, {
      target: one,
      options,
      context,
      inCollection: true,
    });
    return responseObject;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}
