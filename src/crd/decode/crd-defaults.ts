import { type JsonObject, ownObject } from '../../meta/index.ts';

/**
 * What a `spec` leaves out: the names that follow from the kind, the conversion and the port of its webhook.
 * In place; the spec has been decoded.
 */
export function defaultCrdSpec(spec: JsonObject): JsonObject {
  const names = ownObject(spec, 'names') ?? {};
  spec['names'] = namesWithDefaults(names);
  spec['conversion'] = ownObject(spec, 'conversion') ?? { strategy: 'None' };
  normalizeWebhook(spec['conversion']);
  return spec;
}

/** Rebuilt, so that the fields keep the order in which Go writes them. */
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
  // Upstream keeps the two halves of a webhook apart in memory and loses one that has neither.
  if (client === undefined && webhook['conversionReviewVersions'] === null) delete conversion['webhook'];
  const service = client === undefined ? undefined : ownObject(client, 'service');
  if (service !== undefined && service['port'] === undefined) service['port'] = 443;
}
