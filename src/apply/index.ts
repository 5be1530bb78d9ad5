// Writes
export {
  apply,
  applyAsync,
  type ConvertLater,
  type ConvertNow,
  update,
  updateAsync,
} from './server-side-apply.ts';
export type { ApplyOptions, ApplyResult } from './compute-apply.ts';
export type { FieldWriteOptions } from './field-write.ts';
export { type ApplyConflict, ApplyConflictError, describeConflicts } from './conflict.ts';
export { mainResetFields, type ResetFields, statusResetFields } from './reset-fields.ts';
export { fieldsOwnedBy, keepOwners, type KeptFields } from './keep-owners.ts';
export { keepTimesOfNoChange } from './no-change.ts';

// Managed fields
export {
  decodeManagedFields,
  encodeManagedFields,
  knowOwnManagedFields,
  ManagedFieldsError,
  type ManagerEntry,
} from './managed-fields.ts';
export { type ManagerIdentity, managerKey } from './manager-identity.ts';
export { parentManagedFields, type ReplicasPaths, replicasPath, scaleManagedFields } from './scale-fields.ts';

// Field sets
export { FieldSet } from './field-set.ts';
export { decodeFieldsV1, encodeFieldsV1, type FieldsOrder, type KnownSets } from './fields-v1.ts';
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
} from './path-element.ts';
export { parsePathText } from './path-text.ts';

// Types and typed operations
export type { FieldType, ListType, MapType, MergeType, ScalarType } from './merge-type.ts';
export { deducedType, untypedAtomicType } from './merge-type.ts';
export {
  MergeTypeError,
  patchTypeFromSchema,
  typeFromStructuralSchema,
  valueTypeFromStructuralSchema,
} from './structural-type.ts';
export { type TypeNotation, typeFromNotation } from './type-notation.ts';
export { deducedObjectType, objectMetaType, objectType } from './object-type.ts';
export {
  customResourceDefinitionPatchType,
  customResourceDefinitionType,
  namespaceType,
  scaleType,
} from './builtin-types.ts';
export { checkTyped } from './validate.ts';
export { problemsText, TypedError, type TypedProblem } from './typed-error.ts';
export { ListItemError } from './list-item.ts';
export { toFieldSet } from './to-field-set.ts';
export { type Comparison, compareTyped, isSame } from './compare.ts';
export { mergeTyped } from './merge.ts';
export { extractItems, removeItems } from './select-items.ts';
