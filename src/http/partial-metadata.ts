import { type JsonObject, type KubeObject, metadataOf } from '../meta/index.ts';
import type { ListPage } from '../registry/index.ts';
import { listMetadata } from './list-response.ts';

/** An object's metadata alone: all that a garbage collector or a metadata informer wants. */
export function partialMetadata(object: KubeObject, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOf(object),
  };
}

/** The metadata of every object of a page. */
export function partialMetadataList(page: ListPage, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(page, { alwaysContinue: false }),
    // Nothing is null upstream, as a list in Go that was never made.
    items: page.items.length === 0 ? null : page.items.map((item) => partialMetadata(item.object(), version)),
  };
}
