import { isObject, type JsonObject } from '../../meta/index.ts';
import { Findings } from './findings.ts';
import { isDefaultTaken } from './key-default.ts';
import type { Explain, Visit } from './visit.ts';

/**
 * Reports the errors of map keys by `x-kubernetes-property-names` (KEP-5667), at the path of the map with the key as
 * the value. An update tolerates the keys of the old map.
 */
export function explainKeys(
  { node, path, correlation }: Visit,
  object: JsonObject,
  { findings, explain }: { readonly findings: Findings; readonly explain: Explain },
): void {
  const { propertyNames } = node;
  if (propertyNames === undefined) return;
  const old = correlation !== undefined && isObject(correlation.old) ? correlation.old : {};
  for (const key of Object.keys(object)) {
    if (findings.isFull) return;
    if (Object.hasOwn(old, key)) continue;
    const keyFindings = new Findings();
    if (isDefaultTaken(propertyNames.default, key)) {
      const text = `${path} in body has an empty key, and its default is taken`;
      keyFindings.add({
        type: 'FieldValueDuplicate',
        at: path,
        value: propertyNames.default,
        detail: '',
        text,
      });
    } else {
      explain({ node: propertyNames, value: key, path }, keyFindings);
    }
    findings.mergeOfKey(keyFindings, path, key);
  }
}
