import { encodeJson, type JsonAnatomy } from '../codec/index.ts';
import { clone, type KubeObject, metadataOf } from '../meta/index.ts';
import type { Served } from './catalog.ts';
import { exactCopy, shapeConverted } from './forms.ts';
import type { WebhookConverter } from './webhook-converter.ts';

/** The bytes of an object as it is stored. */
export interface StoredBytes {
  readonly value: Buffer;
  /** Where what is large in them stands; undefined for small objects. */
  readonly anatomy: JsonAnatomy | undefined;
}

/**
 * The bytes of an object as it is stored: in the storage version and its shape, without resourceVersion. The object
 * itself stays as it is. Equal objects give equal bytes, so that a write that changes nothing can be told by comparing.
 *
 * @throws {StatusError} 500 where a webhook is needed and fails
 */
export function encodeStored(object: KubeObject, served: Served): StoredBytes | Promise<StoredBytes> {
  const { resource, type, version } = served;
  const { converter } = resource;
  const stored = withoutResourceVersion(object);
  if (version === type.storageVersion) {
    converter.toStored(stored);
    return bytesOf(stored);
  }
  if (converter.webhook !== undefined) return convertedBytes(stored, served, converter.webhook);
  const copy = clone(stored);
  converter.toStored(copy);
  return bytesOf(shapeConverted(copy, type.storageVersion));
}

async function convertedBytes(
  object: KubeObject,
  { type }: Served,
  webhook: WebhookConverter,
): Promise<StoredBytes> {
  const [converted] = await webhook.convert([object], type.storageVersion);
  return bytesOf(shapeConverted(converted ?? object, type.storageVersion));
}

function bytesOf(object: KubeObject): StoredBytes {
  return { value: exactCopy(encodeJson(object)), anatomy: undefined };
}

/** A copy without resourceVersion; everything below root and metadata is shared. */
export function withoutResourceVersion(object: KubeObject): KubeObject {
  const metadata = { ...metadataOf(object) };
  delete metadata['resourceVersion'];
  return { ...object, metadata };
}
