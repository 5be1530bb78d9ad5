import { isObject, type JsonValue } from '../../meta/index.ts';
import type { MergeType } from './merge-type.ts';

/**
 * The paths of the atomic maps and lists that a configuration sets, as `.spec.list[0].map`. Upstream does not check
 * entries of maps with undeclared keys.
 * Source: apiserver, policy/mutating/patch/smd.go, findAtomics.
 */
export function findAtomics(type: MergeType, value: JsonValue): string[] {
  const found: string[] = [];
  collect(type, value, { path: '', found });
  return found;
}

function collect(
  type: MergeType,
  value: JsonValue,
  { path, found }: { readonly path: string; readonly found: string[] },
): void {
  if (isObject(value) && type.map !== undefined) {
    if (type.map.relationship === 'atomic') found.push(path);
    for (const [key, entry] of Object.entries(value)) {
      const field = type.map.fields.get(key);
      if (field !== undefined) collect(field.type, entry, { path: `${path}.${key}`, found });
    }
  } else if (Array.isArray(value) && type.list !== undefined) {
    if (type.list.relationship === 'atomic') found.push(path);
    const { element } = type.list;
    for (const [index, item] of value.entries()) collect(element, item, { path: `${path}[${index}]`, found });
  }
}
