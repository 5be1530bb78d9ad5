import type { ConversionWebhookConfig, ResourceType, ResourceVersion } from '../../crd/index.ts';
import { formatGroupVersion, type KubeObject } from '../../meta/index.ts';
import type { ConversionWebhook } from '../../webhook/index.ts';
import type { Converter } from '../../kinds/index.ts';
import { WebhookConverter } from './webhook-converter.ts';

/** The converter of a resource. */
export interface ResourceConverter extends Converter {
  /** Converts between versions with a webhook; the functions above are only called for objects that need none. */
  readonly webhook?: WebhookConverter;
}

/** Creates the webhook client of a CRD. */
export type ConnectConversion = (
  config: ConversionWebhookConfig,
  of: { readonly group: string; readonly resource: string },
) => ConversionWebhook;

/** Strategy `None`: only the apiVersion changes. */
export function renamingConverter(type: ResourceType): ResourceConverter {
  const rename = (object: KubeObject, version: ResourceVersion) => {
    object['apiVersion'] = formatGroupVersion(type.group, version.name);
  };
  return { fromStored: rename, toStored: (object) => rename(object, type.storageVersion) };
}

/** How the objects of a custom resource are converted. */
export function converterOf(type: ResourceType, connect: ConnectConversion): ResourceConverter {
  const { conversion } = type;
  if (conversion === undefined) return renamingConverter(type);
  const webhook = new WebhookConverter(type, connect(conversion, type));
  return { fromStored: () => {}, toStored: () => {}, webhook };
}
