import { type JsonAnatomy, type SurveyedJson, surveyJsonInSteps, surveyJsonText } from '../../codec/index.ts';
import { clone, type KubeObject, metadataOf, type RunSteps } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { exactCopy, shapeConverted } from './representation.ts';
import { gateStored, type Replaced } from './gate-stored.ts';
import type { WebhookConverter } from './webhook-converter.ts';

/** An object, encoded for storage. */
export interface StoredBytes {
  readonly value: Buffer;
  /** Offsets of the large parts; undefined for small objects. */
  readonly anatomy: JsonAnatomy | undefined;
  /** True if decoding returns exactly the object that was written, numbers included. */
  readonly isPlain: boolean;
}

/**
 * Encodes an object for storage: in the storage version, normalized, without resourceVersion. The object itself does
 * not change. Equal objects have equal bytes, so a write without changes is detected by comparing them.
 *
 * @param replaced the stored object; undefined for a new one
 * @param run encodes a large object in steps
 * @throws {StatusError} 500 if a webhook is needed and fails
 */
export async function encodeStored(
  object: KubeObject,
  served: Represented,
  replaced: Replaced | undefined,
  run?: RunSteps,
): Promise<StoredBytes> {
  const { resource, type, version } = served;
  const { converter } = resource;
  const stored = withoutResourceVersion(object);
  if (version === type.storageVersion) {
    converter.toStored(stored);
    return bytesOf(stored, run);
  }
  if (converter.webhook !== undefined) {
    return convertedBytes(stored, { served, replaced, webhook: converter.webhook });
  }
  const copy = clone(stored);
  converter.toStored(copy);
  return bytesOf(await gateStored(shapeConverted(copy, type.storageVersion), served, replaced), run);
}

interface Conversion {
  readonly served: Represented;
  readonly replaced: Replaced | undefined;
  readonly webhook: WebhookConverter;
}

async function convertedBytes(
  object: KubeObject,
  { served, replaced, webhook }: Conversion,
): Promise<StoredBytes> {
  const { storageVersion } = served.type;
  const [converted] = await webhook.convert([object], storageVersion);
  const stored = shapeConverted(converted ?? object, storageVersion);
  return bytesOf(await gateStored(stored, served, replaced));
}

async function bytesOf(object: KubeObject, run?: RunSteps): Promise<StoredBytes> {
  return storedBytes(run === undefined ? surveyJsonText(object) : await run(surveyJsonInSteps(object)));
}

function storedBytes({ text, isPlain }: SurveyedJson): StoredBytes {
  return { value: exactCopy(Buffer.from(text)), anatomy: undefined, isPlain };
}

/** A copy without resourceVersion; everything below the root and metadata is shared. */
export function withoutResourceVersion(object: KubeObject): KubeObject {
  const metadata = { ...metadataOf(object) };
  delete metadata['resourceVersion'];
  return { ...object, metadata };
}
