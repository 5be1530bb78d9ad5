import { formatTime } from '../time/clock.ts';
import { type FieldError, forbidden, invalid, required } from '../refusal/field-error.ts';
import { FieldPath } from '../refusal/field-path.ts';
import { goJson } from '../go/go-text.ts';
import { checkDnsLabel, type NameRule, pathSegmentName } from '../names/names.ts';
import { stringList, stringMap } from './object.ts';
import { parseTime } from '../time/parse-time.ts';
import { equal, type JsonObject, type JsonValue, own, ownList, ownString } from '../value/value.ts';
import { finalizerErrors, newFinalizerErrors } from './finalizers.ts';
import { annotationErrors, labelErrors } from './labels.ts';
import { managedFieldsErrors } from './managed-fields.ts';
import { ownerReferenceErrors, ownerReferencesOf } from './owner-references.ts';

/** The requirements of a kind on its objects' metadata. */
interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly names: NameRule;
  /** The path of the metadata; defaults to `metadata`. */
  readonly path?: FieldPath;
}

const metadataPath = FieldPath.of('metadata');

/**
 * The errors of the metadata of a new object, after its name was generated.
 * The order is upstream's: k8s.io/apimachinery/pkg/api/validation ValidateObjectMeta.
 */
export function validateObjectMetaCreate(meta: JsonObject, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path ?? metadataPath;
  const generateName = text(meta, 'generateName');
  const name = text(meta, 'name');
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const wrong = rules.names.checkPrefix(generateName);
    errors.push(...wrong.map((one) => invalid(path.child('generateName'), generateName, one)));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else errors.push(...rules.names.checkName(name).map((one) => invalid(path.child('name'), name, one)));
  return [
    ...errors,
    ...namespaceErrors(meta, rules.namespaced, path),
    ...generationErrors(meta, path),
    ...labelsAndOwnersErrors(meta, path),
    ...finalizerErrors(path.child('finalizers'), stringList(own(meta, 'finalizers'))),
    ...managedFieldsErrors(path.child('managedFields'), ownList(meta, 'managedFields') ?? []),
  ];
}

/**
 * The errors of the metadata of an update: all checks of a create, except that names only have to be a path segment;
 * then the immutable fields.
 */
export function validateObjectMetaUpdate(
  meta: JsonObject,
  old: JsonObject,
  rules: Omit<ObjectMetaRules, 'names'>,
): FieldError[] {
  const path = rules.path ?? metadataPath;
  return [
    ...validateObjectMetaCreate(meta, { ...rules, names: pathSegmentName }),
    ...validateObjectMetaChange(meta, old, path),
  ];
}

/**
 * The second half of {@link validateObjectMetaUpdate}. The strategy of custom resources runs it again, so upstream
 * reports these errors twice in `details.causes`.
 */
export function validateObjectMetaChange(
  meta: JsonObject,
  old: JsonObject,
  path: FieldPath = metadataPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(own(old, 'deletionTimestamp'))) {
    const finalizers = stringList(own(meta, 'finalizers'));
    const oldFinalizers = stringList(own(old, 'finalizers'));
    errors.push(...newFinalizerErrors(path.child('finalizers'), finalizers, oldFinalizers));
  }
  if (text(meta, 'resourceVersion') === '') {
    errors.push(invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  }
  errors.push(...generationErrors(meta, path));
  if (generation(meta) < generation(old)) {
    errors.push(invalid(path.child('generation'), generation(meta), 'must not be decremented'));
  }
  return [
    ...errors,
    ...immutableErrors(meta, old, path),
    ...labelsAndOwnersErrors(meta, path),
    ...managedFieldsErrors(path.child('managedFields'), ownList(meta, 'managedFields') ?? []),
  ];
}

function namespaceErrors(meta: JsonObject, namespaced: boolean, path: FieldPath): FieldError[] {
  const namespace = text(meta, 'namespace');
  const at = path.child('namespace');
  if (!namespaced) return namespace === '' ? [] : [forbidden(at, 'not allowed on this type')];
  if (namespace === '') return [required(at)];
  return checkDnsLabel(namespace).map((one) => invalid(at, namespace, one));
}

function generationErrors(meta: JsonObject, path: FieldPath): FieldError[] {
  if (generation(meta) >= 0) return [];
  return [invalid(path.child('generation'), generation(meta), 'must be greater than or equal to 0')];
}

function labelsAndOwnersErrors(meta: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...labelErrors(path.child('labels'), stringMap(own(meta, 'labels'))),
    ...annotationErrors(path.child('annotations'), stringMap(own(meta, 'annotations'))),
    ...ownerReferenceErrors(path.child('ownerReferences'), ownerReferencesOf(own(meta, 'ownerReferences'))),
  ];
}

const immutableTexts = ['name', 'namespace', 'uid'] as const;
const immutableTimes = ['creationTimestamp', 'deletionTimestamp'] as const;

function immutableErrors(meta: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const changed = (field: string, value: JsonValue): FieldError => ({
    ...invalid(path.child(field), value, 'field is immutable'),
    // A UID has a named type in Go, and such types print as JSON.
    ...(field === 'uid' ? { valueText: goJson(value) } : {}),
  });
  const errors: FieldError[] = [];
  for (const field of immutableTexts) {
    if (text(meta, field) !== text(old, field)) errors.push(changed(field, text(meta, field)));
  }
  for (const field of immutableTimes) {
    const value = timeOf(own(meta, field));
    if (!sameTime(value, own(old, field) ?? null)) errors.push(changed(field, wireTime(value)));
  }
  const grace = own(meta, 'deletionGracePeriodSeconds') ?? null;
  if (!equal(grace, own(old, 'deletionGracePeriodSeconds') ?? null)) {
    errors.push(changed('deletionGracePeriodSeconds', grace));
  }
  return errors;
}

/** A time as Go's accessors read it: an invalid time counts as absent. */
function timeOf(value: JsonValue | undefined): JsonValue {
  return typeof value === 'string' && parseTime(value) === undefined ? null : (value ?? null);
}

/** Compares times, not their texts: `...+01:00` may come back as `...Z`. */
function sameTime(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return equal(a, b);
  return a === b || (parseTime(a) !== undefined && parseTime(a) === parseTime(b));
}

/** A time in canonical form: in UTC. */
function wireTime(value: JsonValue): JsonValue {
  const ms = typeof value === 'string' ? parseTime(value) : undefined;
  return ms === undefined ? value : formatTime(ms);
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function text(meta: JsonObject, field: string): string {
  return ownString(meta, field) ?? '';
}

function generation(meta: JsonObject): number | bigint {
  const value = own(meta, 'generation');
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}
