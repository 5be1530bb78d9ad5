// What a CRD means
export * from './resource-type.ts';
export { type ConversionWebhookConfig, webhookClientConfigOf } from './conversion.ts';
export { webhookAddressErrors } from './validate/webhook-client.ts';
export { compileResourceType } from './compile-resource-type.ts';
export { crdWithoutSchemas, storedSchema } from './crd-without-schemas.ts';
export {
  type ActingGates,
  compileFieldGates,
  type FieldGates,
  type GateNode,
} from './field-gates/compile-field-gates.ts';
export type { FieldGate } from './field-gates/field-gate.ts';
export { entryText, itemIdentity, itemText } from './field-gates/list-keys.ts';
export { enumGatesKeyword, gateStatesOf, resolveSchema } from './field-gates/resolve-schema.ts';
export { indexOfGate, type ListedGate, listGates } from './field-gates/listed-gate.ts';
export { turnOperations, withTurnedGate } from './field-gates/turn-gate.ts';
export { holdsField } from './field-gates/holds-field.ts';
export { gateWarning } from './field-gates/gate-warning.ts';
export { type GateEffect, applyFieldGates } from './field-gates/apply-field-gates.ts';
// Its conditions
export { apiApprovalCondition } from './api-approval.ts';
export {
  type CrdCondition,
  type CrdConditions,
  type CrdConditionType,
  crdConditions,
  findCondition,
  hasCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';
export { nonStructuralSchemaCondition } from './non-structural-schema.ts';
export { acceptNames, hasItsNames } from './names/accept-names.ts';
// Validation and normalization on write
export { crdSchema } from './decode/crd-schema.ts';
export { crdFromV1beta1 } from './decode/from-v1beta1.ts';
// Scale
export { scaleSchema } from './decode/scale-schema.ts';
export {
  crdSpecChanged,
  prepareCrdForCreate,
  prepareCrdForUpdate,
  prepareCrdStatusUpdate,
} from './prepare.ts';
export { hasUsableCaBundle } from './validate/ca-bundle.ts';
export { validateCrd, validateCrdStatus } from './validate/validate-crd.ts';
