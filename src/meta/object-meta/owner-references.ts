import { type FieldError, invalid, required } from '../refusal/field-error.ts';
import type { FieldPath } from '../refusal/field-path.ts';
import { goJson } from '../go/go-text.ts';
import { parseGroupVersion } from '../names/group-version.ts';
import { isObject, type JsonObject, type JsonValue, own, ownString } from '../value/value.ts';

/** One entry of `metadata.ownerReferences`: the object is deleted when its owner is gone. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** True for the owner that manages the object; there is at most one. */
  readonly controller?: boolean;
  /** True if a foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean;
}

/** The parsed owner references: missing strings are empty, unknown keys are dropped. */
export function ownerReferencesOf(value: JsonValue | undefined): OwnerReference[] {
  return Array.isArray(value) ? value.filter(isObject).map(readReference) : [];
}

function readReference(item: JsonObject): OwnerReference {
  const controller = own(item, 'controller');
  const blockOwnerDeletion = own(item, 'blockOwnerDeletion');
  return {
    apiVersion: ownString(item, 'apiVersion') ?? '',
    kind: ownString(item, 'kind') ?? '',
    name: ownString(item, 'name') ?? '',
    uid: ownString(item, 'uid') ?? '',
    ...(typeof controller === 'boolean' ? { controller } : {}),
    ...(typeof blockOwnerDeletion === 'boolean' ? { blockOwnerDeletion } : {}),
  };
}

/** Each of these errors contains the whole list, so only some are reported for a long list with many controllers. */
const controllerErrorsMax = 10;

/** The errors of owner references: of each one, and if more than one is the controller. */
export function ownerReferenceErrors(path: FieldPath, references: readonly OwnerReference[]): FieldError[] {
  const errors: FieldError[] = [];
  const [first, ...others] = references.filter((reference) => reference.controller === true);
  const told = new Set(others.slice(0, controllerErrorsMax));
  references.forEach((reference, index) => {
    errors.push(...referenceErrors(path.index(index), reference));
    if (first === undefined || !told.has(reference)) return;
    errors.push(invalidReferences(path, references, twoControllers(first, reference)));
  });
  return errors;
}

function twoControllers(first: OwnerReference, second: OwnerReference): string {
  const names = `${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
}

function referenceErrors(path: FieldPath, reference: OwnerReference): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion, kind } = reference;
  const version = parseGroupVersion(apiVersion)?.version ?? '';
  if (apiVersion === '') errors.push(required(path.child('apiVersion'), 'must not be empty'));
  else if (version === '') {
    errors.push(invalid(path.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (reference[field] === '') errors.push(required(path.child(field), 'must not be empty'));
  }
  // Events are too many and too short-lived to own objects.
  if (apiVersion === 'v1' && kind === 'Event') {
    const text = '/v1, Kind=Event is disallowed from being an owner';
    errors.push({ ...invalid(path, asJson(reference), text), valueText: structText(reference) });
  }
  return errors;
}

function invalidReferences(path: FieldPath, references: readonly OwnerReference[], text: string): FieldError {
  const valueText = `[${references.map(structText).join(',')}]`;
  return { ...invalid(path, references.map(asJson), text), valueText };
}

/** The reference's JSON with its keys in the order of Go's struct. */
function structText({ apiVersion, kind, name, uid, ...flags }: OwnerReference): string {
  const members = Object.entries({ apiVersion, kind, name, uid, ...flags });
  return `{${members.map(([key, value]) => `"${key}":${goJson(value)}`).join(',')}}`;
}

function asJson(reference: OwnerReference): JsonObject {
  return { ...reference };
}

/** Where duplicates were found: in the request, or in the result of mutating admission. */
type DedupStage = 'request' | 'admission';

/** Removes duplicate references; the warning for the client is undefined if there were none. */
export function dedupOwnerReferences(
  references: readonly JsonValue[],
  stage: DedupStage,
): { readonly references: JsonValue[]; readonly warning: string | undefined } {
  const seen = new Set<string>();
  const kept: JsonValue[] = [];
  const duplicates: string[] = [];
  for (const item of references) {
    const [reference] = ownerReferencesOf([item]);
    const identity = JSON.stringify(reference);
    if (reference !== undefined && seen.has(identity)) {
      duplicates.push(reference.uid);
    } else {
      seen.add(identity);
      kept.push(item);
    }
  }
  const warning = duplicates.length === 0 ? undefined : duplicatesWarning(duplicates, stage);
  return { references: kept, warning };
}

function duplicatesWarning(uids: readonly string[], stage: DedupStage): string {
  const when = stage === 'admission' ? ' after mutating admission happens' : '';
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`;
}
