import type { FieldType, MergeType } from '../typed/merge-type.ts';
import { type TypeNotation, typeFromNotation } from './type-notation.ts';

/** `metav1.ObjectMeta` for server-side apply: the tags of its Go type. */
export const objectMetaType: MergeType = typeFromNotation({
  struct: {
    annotations: { map: 'string' },
    creationTimestamp: 'scalar',
    deletionGracePeriodSeconds: 'number',
    deletionTimestamp: 'scalar',
    finalizers: { set: 'string' },
    generateName: 'string',
    generation: 'number',
    labels: { map: 'string' },
    managedFields: {
      list: {
        struct: {
          apiVersion: 'string',
          fieldsType: 'string',
          fieldsV1: { map: 'any' },
          manager: 'string',
          operation: 'string',
          subresource: 'string',
          time: 'scalar',
        },
      },
    },
    name: 'string',
    namespace: 'string',
    ownerReferences: {
      list: {
        struct: {
          apiVersion: 'string',
          blockOwnerDeletion: 'boolean',
          controller: 'boolean',
          kind: 'string',
          name: 'string',
          uid: 'string',
        },
        atomic: true,
      },
      by: ['uid'],
      defaults: { uid: '' },
    },
    resourceVersion: 'string',
    selfLink: 'string',
    uid: 'string',
  },
});

const stringType: MergeType = { scalar: 'string' };

/** The fields that every object has, at the root and where an object is embedded. */
export const objectFields: ReadonlyMap<string, FieldType> = new Map([
  ['apiVersion', { type: stringType }],
  ['kind', { type: stringType }],
  ['metadata', { type: objectMetaType }],
]);

/**
 * The type of a built-in kind: `apiVersion`, `kind`, `metadata` and the given fields. Other fields may not be
 * applied; use `'any'` for those without a type.
 */
export function objectType(fields: Readonly<Record<string, TypeNotation>>): MergeType {
  const own = typeFromNotation({ struct: fields }).map;
  const all = new Map([...objectFields, ...(own?.fields ?? [])]);
  return Object.freeze({ map: { fields: all, element: undefined, relationship: 'separable' as const } });
}
