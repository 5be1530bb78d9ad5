import { isObject, type JsonValue, own } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';

const metadataFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes undeclared fields from a value, in place: for defaults, which must not contain anything that would be pruned.
 * User objects take the faster `compileNormalizer`.
 */
export function pruneValue(value: JsonValue, node: SchemaNode | undefined, keepsUnknown = false): void {
  const keeps = keepsUnknown || node?.preserveUnknownFields === true;
  if (Array.isArray(value)) {
    if (node?.items === undefined && keeps) return;
    for (const item of value) pruneValue(item, node?.items, keeps);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (node?.embeddedResource === true && metadataFields.has(key)) continue;
      const property = node?.properties.get(key);
      if (property !== undefined || node?.isMap === true) {
        pruneValue(own(value, key) ?? null, property ?? node?.additionalProperties);
      } else if (!keeps) {
        delete value[key];
      }
    }
  }
}
