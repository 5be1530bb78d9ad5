// Values
export {
  clone,
  emptyDictionary,
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  put,
  Float64,
  withoutFloat64,
} from './value/value.ts';
export { sharedWith, sharedWithInSteps } from './value/share.ts';
export { compareBytes, goFloat, goJson, goJsonKind, goPrint, goQuote, goTypeName } from './go/go-text.ts';
export { readPem } from './go/read-pem.ts';
export { NumberSyntaxError, parseUint64 } from './go/go-number.ts';

// Objects, groups, versions
export {
  type GroupVersionKind,
  type GroupVersionResource,
  formatGroupVersion,
  parseGroupVersion,
} from './names/group-version.ts';
export * from './object-meta/object.ts';
export { parseResourceVersion, ResourceVersionError } from './options/resource-version.ts';
export { kubernetesVersion, minCompatibilityVersion } from './kubernetes-version.ts';
export { compareVersionPriority } from './names/version-order.ts';

// Names and metadata
export {
  checkDnsLabel,
  checkDnsSubdomain,
  checkWildcardSubdomain,
  checkDns1035Label,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  type NameRule,
  declaredLongName,
  dnsSubdomainName,
  dnsLabelName,
  pathSegmentName,
} from './names/names.ts';
export { generateName, newUid } from './names/generate-name.ts';
export { fieldManagerFromUserAgent } from './object-meta/field-manager.ts';
export { finalizerWarnings, foregroundFinalizer, orphanFinalizer } from './object-meta/finalizers.ts';
export { annotationErrors, labelErrors } from './object-meta/labels.ts';
export {
  dedupOwnerReferences,
  type OwnerReference,
  ownerReferencesOf,
} from './object-meta/owner-references.ts';
export {
  validateObjectMetaChange,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
} from './object-meta/validate-object-meta.ts';

// Selectors
export {
  type FieldCondition,
  fieldCondition,
  type FieldRequirement,
  FieldSelector,
  type FieldText,
  meetsFieldCondition,
  parseFieldSelector,
} from './selector/field-selector.ts';
export {
  type LabelRequirement,
  labelRequirementText,
  meetsLabelRequirement,
} from './selector/label-requirement.ts';
export { LabelSelector, labelSelectorFromObject, parseLabelSelector } from './selector/label-selector.ts';
export { SelectorError } from './selector/selector-error.ts';
export {
  defaultSelectorOptions,
  kubernetesSelectors,
  type SelectorOptions,
} from './selector/selector-options.ts';

// Request options
export {
  type ContinueToken,
  continueAtLatest,
  decodeContinueToken,
  encodeContinueToken,
} from './options/continue-token.ts';
export {
  type DeleteOptions,
  deleteOptionsFromBody,
  deleteOptionsObject,
  type PropagationPolicy,
  parseDeleteOptions,
} from './options/delete-options.ts';
export { type ListOptions, parseListOptions } from './options/list-options.ts';
export { parseIncludeObject } from './options/table-options.ts';
export {
  type CreateOptions,
  type FieldValidation,
  type PatchOptions,
  parseCreateOptions,
  parsePatchOptions,
  parseUpdateOptions,
  type UpdateOptions,
  type WriteOptions,
  writeOptionsObject,
} from './options/write-options.ts';
export { parseQuery } from './options/parse-query.ts';

// Paths and table cells
export { parseJsonPath } from './json-path/json-path.ts';
export { JsonPathError } from './json-path/json-path-error.ts';
export { type Age, ageOf, ageText, type ColumnType, printerCell } from './json-path/printer-cell.ts';

// Refusals, field errors, bugs
export {
  type FieldErrorType,
  type FieldError,
  required,
  invalid,
  duplicate,
  forbidden,
  notSupported,
  tooLong,
  tooMany,
  fieldErrorText,
  aggregateText,
} from './refusal/field-error.ts';
export { declared, declaredLast } from './refusal/declared-errors.ts';
export { FieldPath, pathText, rootPathText } from './refusal/field-path.ts';
export { InvariantError, invariant } from './invariant.ts';
export {
  type StatusCause,
  type StatusDetails,
  type Status,
  StatusError,
  type GroupResource,
  notFoundError,
  alreadyExistsError,
  generateNameConflictError,
  conflictError,
  staleObjectText,
  invalidError,
  badRequestError,
  unauthorizedError,
  forbiddenError,
  methodNotSupportedError,
  routeMethodError,
  routeNotFoundError,
  notAcceptableError,
  unsupportedMediaTypeError,
  requestTooLargeError,
  tooManyRequestsError,
  expiredError,
  internalError,
  unavailableError,
  timeoutError,
  tooLargeResourceVersionError,
} from './refusal/status.ts';

// Time
export {
  type Clock,
  formatTime,
  systemClock,
  systemTimers,
  timerDelayMs,
  type Timers,
} from './time/clock.ts';
export { goDuration } from './time/go-duration.ts';
export { listenForAbort } from './time/listen-for-abort.ts';
export { untilAnyAborts } from './time/until-any-aborts.ts';
export type { ServerLayer, TrackLayer } from './time/server-layer.ts';
export { parseGoDuration } from './time/parse-go-duration.ts';
export { humanDuration } from './time/human-duration.ts';
export { parseSchedule, type Schedule, ScheduleError } from './time/schedule.ts';
export { Slices, systemSlices } from './time/slices.ts';
export { copyInSteps } from './value/copy-in-steps.ts';
export { mayBeMisread } from './value/misread-keys.ts';
export { sortInSteps } from './time/sort-in-steps.ts';
export { atOnce, type RunSteps, type Steps } from './time/steps.ts';
export { queryInteger } from './options/query.ts';
export { parseTime } from './time/parse-time.ts';
export { canonicalTime } from './time/canonical-time.ts';

// Dependencies that are passed in
export {
  featureGates,
  type FeatureGateName,
  type FeatureGates,
  defaultFeatureGates,
  parseFeatureGates,
} from './feature-gates.ts';
export { limits } from './limits.ts';
export { seededRandom } from './seeded-random.ts';
export type { UserInfo } from './user.ts';
export type { ServiceReference, WebhookClientConfig } from './webhook-client-config.ts';
