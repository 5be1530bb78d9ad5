// Writes
export {
  apply,
  applyAsync,
  applyInSteps,
  type ConvertLater,
  type ConvertNow,
  update,
  updateAsync,
  updateInSteps,
} from './write/server-side-apply.ts';
export type { ApplyOptions, ApplyResult } from './write/compute-apply.ts';
export type { FieldWriteOptions } from './write/field-write.ts';
export {
  mainResetFields,
  type ResetFields,
  resetFieldsOf,
  statusResetFields,
} from './field-set/reset-fields.ts';
export { fieldsOwnedBy, keepOwners } from './managers/keep-owners.ts';
export { ConfigurationMergeError, mergeConfiguration } from './write/merge-configuration.ts';
export { keepTimesOfNoChange } from './write/no-change.ts';

// Managed fields
export { ManagedFieldsError, decodeManagedFields, knowOwnManagedFields } from './managers/managed-fields.ts';
export {
  parentManagedFields,
  type ReplicasPaths,
  replicasPath,
  scaleManagedFields,
} from './managers/scale-fields.ts';

// Field sets
export type { KnownSets } from './field-set/fields-v1.ts';
export { fieldElement, keyElement, type PathElement } from './field-set/path-element.ts';

// Types and typed operations
export type { ListType, MergeType } from './typed/merge-type.ts';
export { patchTypeFromSchema, typeFromStructuralSchema } from './types/structural-type.ts';
export {
  customResourceDefinitionPatchType,
  customResourceDefinitionType,
  namespaceType,
  scaleType,
} from './types/builtin-types.ts';
export { FieldsFormatError } from './field-set/path-element.ts';
