import {
  type GoDecoder,
  type GoStruct,
  goBool,
  goInt64,
  goList,
  goRequiredString,
  goString,
  goStringMap,
  goStruct,
  goTime,
} from './go-decoders.ts';

const ownerReference: GoStruct = {
  name: 'OwnerReference',
  always: ['apiVersion', 'kind', 'name', 'uid'],
  fields: new Map<string, GoDecoder>([
    ['apiVersion', goRequiredString()],
    ['kind', goRequiredString()],
    ['name', goRequiredString()],
    ['uid', goRequiredString('types.UID')],
    ['controller', goBool],
    ['blockOwnerDeletion', goBool],
  ]),
};

const managedFieldsEntry: GoStruct = {
  name: 'ManagedFieldsEntry',
  always: [],
  fields: new Map<string, GoDecoder>([
    ['manager', goString()],
    ['operation', goString('v1.ManagedFieldsOperationType')],
    ['apiVersion', goString()],
    ['time', goTime],
    ['fieldsType', goString()],
    ['fieldsV1', (value) => value ?? undefined],
    ['subresource', goString()],
  ]),
};

/** The fields of `metadata` with their Go types: k8s.io/apimachinery/pkg/apis/meta/v1 ObjectMeta. */
export const objectMetaFields: ReadonlyMap<string, GoDecoder> = new Map<string, GoDecoder>([
  ['name', goString()],
  ['generateName', goString()],
  ['namespace', goString()],
  ['selfLink', goString()],
  ['uid', goString('types.UID')],
  ['resourceVersion', goString()],
  ['generation', goInt64({ keepZero: false })],
  ['creationTimestamp', goTime],
  ['deletionTimestamp', goTime],
  ['deletionGracePeriodSeconds', goInt64({ keepZero: true })],
  ['labels', goStringMap],
  ['annotations', goStringMap],
  ['ownerReferences', goList('v1.OwnerReference', goStruct(ownerReference))],
  ['finalizers', goList('string', goRequiredString())],
  ['managedFields', goList('v1.ManagedFieldsEntry', goStruct(managedFieldsEntry))],
]);
