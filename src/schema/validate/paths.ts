import { FieldPath } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';

/** The path of a field: `a.b` for a declared property, `a[b]` for an entry of a map. */
export function childPath(node: SchemaNode, path: FieldPath | undefined, key: string): FieldPath {
  if (path === undefined) return FieldPath.of(key);
  return node.properties.has(key) ? path.child(key) : path.key(key);
}

/** The path of a list item. The root is always an object, so the base is never empty. */
export function itemPath(path: FieldPath | undefined, index: number): FieldPath {
  return path === undefined ? FieldPath.of(`[${index}]`) : path.index(index);
}
