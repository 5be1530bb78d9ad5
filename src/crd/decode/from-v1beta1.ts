import {
  clone,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';

const v1beta1 = 'apiextensions.k8s.io/v1beta1';

/** Fields that v1beta1 could hold once for all versions, with their v1 names; in v1 each version has its own. */
const sharedByVersions: ReadonlyMap<string, string> = new Map([
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
]);

/**
 * Converts a stored v1beta1 CRD to v1, in place; others stay unchanged. v1beta1 cannot be written any more, but
 * kube-apiserver still stores CRDs in it, because it is shorter.
 * Source: apiextensions-apiserver, pkg/apis/apiextensions/v1beta1/defaults.go and v1/conversion.go.
 */
export function crdFromV1beta1(stored: KubeObject): void {
  if (stored['apiVersion'] !== v1beta1) return;
  stored['apiVersion'] = 'apiextensions.k8s.io/v1';
  const spec = ownObject(stored, 'spec');
  if (spec === undefined) return;
  spec['scope'] ??= 'Namespaced';
  spec['preserveUnknownFields'] ??= true;
  spec['versions'] = versionsIn(spec);
  for (const field of ['version', ...sharedByVersions.keys()]) delete spec[field];
  const conversion = ownObject(spec, 'conversion');
  if (conversion !== undefined) spec['conversion'] = conversionIn(conversion);
}

function versionsIn(spec: JsonObject): JsonObject[] {
  const listed = (ownList(spec, 'versions') ?? []).filter(isObject);
  const { version } = spec;
  const only = typeof version === 'string' ? [{ name: version, served: true, storage: true }] : [];
  return (listed.length > 0 ? listed : only).map((one) => versionIn(one, spec));
}

/** A value for all versions takes precedence. */
function versionIn(version: JsonObject, spec: JsonObject): JsonObject {
  const made: JsonObject = { ...version };
  for (const [shared, name] of sharedByVersions) {
    const value = own(spec, shared);
    if (value !== undefined && value !== null) made[name] = clone(value);
  }
  const columns = ownList(made, 'additionalPrinterColumns');
  if (columns !== undefined) made['additionalPrinterColumns'] = columns.map(columnIn);
  return made;
}

function columnIn(column: JsonObject[string]): JsonObject[string] {
  if (!isObject(column)) return column;
  const { JSONPath, ...rest } = column;
  return JSONPath === undefined ? rest : { ...rest, jsonPath: JSONPath };
}

function conversionIn(conversion: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions, ...rest } = conversion;
  const isWebhook = rest['strategy'] === 'Webhook';
  const versions = conversionReviewVersions ?? (isWebhook ? ['v1beta1'] : undefined);
  if (webhookClientConfig === undefined && versions === undefined) return rest;
  const webhook: JsonObject = {};
  if (webhookClientConfig !== undefined) webhook['clientConfig'] = webhookClientConfig;
  webhook['conversionReviewVersions'] = versions ?? null;
  return { ...rest, webhook };
}
