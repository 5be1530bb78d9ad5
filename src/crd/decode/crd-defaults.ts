import { type JsonObject, ownObject } from '../../meta/index.ts';

/**
 * Sets the defaults of a `spec`, in place: names derived from the kind, the conversion, and the port of its webhook.
 * The spec must be decoded.
 */
export function defaultCrdSpec(spec: JsonObject): JsonObject {
  const names = ownObject(spec, 'names') ?? {};
  spec['names'] = namesWithDefaults(names);
  spec['conversion'] = ownObject(spec, 'conversion') ?? { strategy: 'None' };
  normalizeWebhook(spec['conversion']);
  return spec;
}

/** Rebuilt so that the fields keep Go's order. */
function namesWithDefaults(names: JsonObject): JsonObject {
  const { plural = '', singular, shortNames, kind = '', listKind, categories } = names;
  const kindText = typeof kind === 'string' ? kind : '';
  const defaulted: JsonObject = { plural };
  if (singular !== undefined || kindText !== '') defaulted['singular'] = singular ?? kindText.toLowerCase();
  if (shortNames !== undefined) defaulted['shortNames'] = shortNames;
  defaulted['kind'] = kind;
  if (listKind !== undefined || kindText !== '') defaulted['listKind'] = listKind ?? `${kindText}List`;
  if (categories !== undefined) defaulted['categories'] = categories;
  return defaulted;
}

function normalizeWebhook(conversion: JsonObject): void {
  const webhook = ownObject(conversion, 'webhook');
  if (webhook === undefined) return;
  const client = ownObject(webhook, 'clientConfig');
  // Upstream stores the two halves of a webhook separately in memory and drops a webhook that has neither.
  if (client === undefined && webhook['conversionReviewVersions'] === null) delete conversion['webhook'];
  const service = client === undefined ? undefined : ownObject(client, 'service');
  if (service !== undefined && service['port'] === undefined) service['port'] = 443;
}
