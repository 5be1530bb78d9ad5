// The built-in kinds
export { builtInKinds, crdKind } from './built-in-kinds.ts';
export { AddressRange } from './core/address-range.ts';
export { ageColumn, type BuiltInKind, unstoredType } from './definition/kind.ts';
export { bindingType, evictionType } from './core/pod-request-types.ts';
export { scaleResourceType } from './autoscaling/scale.ts';
export { systemPriorityClasses } from './scheduling/priority-class.ts';

// Kinds of OpenAPI documents
export { openApiKinds } from './openapi/openapi-kinds.ts';
export { OpenApiDocumentError } from './openapi/openapi-document.ts';

// What a kind does with its objects
export type {
  Claim,
  Claims,
  Endpoint,
  Reservation,
  StoredPeers,
  Strategy,
  StrategyContext,
} from './strategy/strategy.ts';
export type { Converter } from './strategy/converter.ts';
export { customResourceStrategy } from './strategy/custom-resource-strategy.ts';
export {
  fieldsOfPath,
  NestedFieldError,
  nestedInt64,
  nestedString,
  setNested,
} from './strategy/nested-field.ts';
