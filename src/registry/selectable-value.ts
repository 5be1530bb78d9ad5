import { type KubeObject, simplePath } from '../meta/index.ts';

/**
 * What a field selector compares with: the value at a selectable path as Go prints it, empty where there is none.
 * Validation of the CRD lets only paths of strings, integers and booleans through.
 * Source: apiextensions-apiserver, customresource/strategy.go selectableFields.
 */
export function selectableValue(object: KubeObject, path: string): string {
  let value: unknown = object;
  for (const key of simplePath(path).keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
    value = Reflect.get(value, key);
  }
  return value === undefined || value === null ? '' : String(value);
}
