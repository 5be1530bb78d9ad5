import { type JsonObject, type KubeObject, metadataOf } from '../meta/index.ts';
import type { ListPage, ResponseObject } from '../registry/index.ts';
import type { ListSource } from './encode-list.ts';
import { listMetadata } from './list-response.ts';

/** Only the metadata of an object: all that a garbage collector or a metadata informer needs. */
export function partialMetadata(object: KubeObject, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOf(object),
  };
}

/** The metadata of every object of a page. */
export function partialMetadataList(page: ListPage, version: string): ListSource {
  const kind = 'PartialObjectMetadataList';
  return {
    empty: {
      kind,
      apiVersion: `meta.k8s.io/${version}`,
      metadata: listMetadata(page, { alwaysContinue: false }),
      // An empty list is null upstream, like a nil slice in Go.
      items: page.items.length === 0 ? null : [],
    },
    field: 'items',
    items: metadataOfAll(page.items, version),
    kind: { group: 'meta.k8s.io', version, kind },
  };
}

function* metadataOfAll(items: Iterable<ResponseObject>, version: string): Generator<JsonObject> {
  for (const item of items) yield partialMetadata(item.object(), version);
}
