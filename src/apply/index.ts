// Writes
export {
  apply,
  applyAsync,
  type ConvertLater,
  type ConvertNow,
  update,
  updateAsync,
} from './write/server-side-apply.ts';
export type { ApplyOptions, ApplyResult } from './write/compute-apply.ts';
export type { FieldWriteOptions } from './write/field-write.ts';
export { type ApplyConflict, ApplyConflictError, describeConflicts } from './managers/conflict.ts';
export { mainResetFields, type ResetFields, statusResetFields } from './field-set/reset-fields.ts';
export { fieldsOwnedBy, keepOwners, type KeptFields } from './managers/keep-owners.ts';
export { keepTimesOfNoChange } from './write/no-change.ts';

// Managed fields
export {
  decodeManagedFields,
  encodeManagedFields,
  knowOwnManagedFields,
  ManagedFieldsError,
  type ManagerEntry,
} from './managers/managed-fields.ts';
export { type ManagerIdentity, managerKey } from './managers/manager-identity.ts';
export {
  parentManagedFields,
  type ReplicasPaths,
  replicasPath,
  scaleManagedFields,
} from './managers/scale-fields.ts';

// Field sets
export { FieldSet } from './field-set/field-set.ts';
export { decodeFieldsV1, encodeFieldsV1, type FieldsOrder, type KnownSets } from './field-set/fields-v1.ts';
export {
  elementText,
  fieldElement,
  fieldPathOf,
  FieldsFormatError,
  indexElement,
  keyElement,
  type Path,
  pathDisplay,
  type PathElement,
  valueElement,
} from './field-set/path-element.ts';
export { parsePathText } from './field-set/path-text.ts';

// Types and typed operations
export type { FieldType, ListType, MapType, MergeType, ScalarType } from './typed/merge-type.ts';
export { deducedType, untypedAtomicType } from './typed/merge-type.ts';
export {
  MergeTypeError,
  patchTypeFromSchema,
  typeFromStructuralSchema,
  valueTypeFromStructuralSchema,
} from './types/structural-type.ts';
export { type TypeNotation, typeFromNotation } from './types/type-notation.ts';
export { deducedObjectType, objectMetaType, objectType } from './types/object-type.ts';
export {
  customResourceDefinitionPatchType,
  customResourceDefinitionType,
  namespaceType,
  scaleType,
} from './types/builtin-types.ts';
export { checkTyped } from './typed/validate.ts';
export { problemsText, TypedError, type TypedProblem } from './typed/typed-error.ts';
export { ListItemError } from './typed/list-item.ts';
export { toFieldSet } from './typed/to-field-set.ts';
export { type Comparison, compareTyped, isSame } from './typed/compare.ts';
export { mergeTyped } from './typed/merge.ts';
export { extractItems, removeItems } from './typed/select-items.ts';
