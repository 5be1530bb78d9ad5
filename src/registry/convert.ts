import type { ConversionWebhookConfig, ResourceType, ResourceVersion } from '../crd/index.ts';
import { formatGroupVersion, type KubeObject } from '../meta/index.ts';
import type { ConversionWebhook } from '../webhook/index.ts';
import { WebhookConverter } from './webhook-converter.ts';

/** Brings objects from the form in which they are stored into a served version and back, in place. */
export interface Converter {
  fromStored(object: KubeObject, version: ResourceVersion): void;
  toStored(object: KubeObject): void;
  /** True where objects are stored in a shape that no version of theirs has: stored bytes are never shown then. */
  readonly reshapes?: boolean;
  /** True for a built-in kind whose objects are complete when they are stored; those of others are completed when read. */
  readonly storesComplete?: boolean;
  /** Converts between versions where this process cannot; the two above only see objects that have theirs already. */
  readonly webhook?: WebhookConverter;
}

/** Connects to the webhook of a CRD. */
export type ConnectConversion = (
  config: ConversionWebhookConfig,
  of: { readonly group: string; readonly resource: string },
) => ConversionWebhook;

/** Strategy `None`: versions differ in name only, so that only the apiVersion is rewritten. */
export function renamingConverter(type: ResourceType): Converter {
  const rename = (object: KubeObject, version: ResourceVersion) => {
    object['apiVersion'] = formatGroupVersion(type.group, version.name);
  };
  return { fromStored: rename, toStored: (object) => rename(object, type.storageVersion) };
}

/** How the objects of a custom resource are converted. */
export function converterOf(type: ResourceType, connect: ConnectConversion): Converter {
  const { conversion } = type;
  if (conversion === undefined) return renamingConverter(type);
  const webhook = new WebhookConverter(type, connect(conversion, type));
  return { fromStored: () => {}, toStored: () => {}, webhook };
}
