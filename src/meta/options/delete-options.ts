import { type FieldError, invalid, notSupported } from '../refusal/field-error.ts';
import { goFloat, goJsonKind } from '../go/go-text.ts';
import { badRequestError } from '../refusal/status.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../value/value.ts';
import { queryBoolean, queryInteger } from './query.ts';
import { refuseOptions } from './refusal.ts';
import { dryRunErrors } from './write-options.ts';

/** The deletion policy for an object's dependents. */
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** The options of delete and deletecollection. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  /** Preconditions: the delete happens only if the object has these. */
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** The deprecated form of the policy; mutually exclusive with it. */
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly dryRun: boolean;
  /** Deletes an object that cannot be decoded any more; excludes all other options and deletecollection. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential: boolean;
}

/** The options as an API object, for admission. */
export function deleteOptionsObject(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions: { ...preconditions } }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(options[unsafeField] ? { [unsafeField]: true } : {}),
  };
}

interface Unchecked {
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly dryRun: readonly string[];
  readonly unsafe: boolean;
}

const unsafeField = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/**
 * DeleteOptions of a request without a body.
 *
 * @throws {StatusError} 400 for an invalid number, 422 for options that exclude each other.
 */
export function parseDeleteOptions(query: URLSearchParams): DeleteOptions {
  return checked({
    gracePeriodSeconds: queryInteger(query, 'gracePeriodSeconds'),
    uid: query.get('uid') || undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
    orphanDependents: queryBoolean(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    dryRun: query.getAll('dryRun'),
    unsafe: queryBoolean(query, unsafeField) ?? false,
  });
}

/**
 * Parses the DeleteOptions in a decoded body; the query is then ignored. Unknown fields are ignored.
 *
 * @throws {StatusError} 400 for another kind of body, 422 for options that exclude each other.
 */
export function deleteOptionsFromBody(body: JsonValue): DeleteOptions {
  if (!isObject(body)) throw wrongType(body, 'Go value of type v1.DeleteOptions');
  checkKind(own(body, 'kind') ?? '');
  const preconditions = own(body, 'preconditions') ?? {};
  if (!isObject(preconditions))
    throw wrongType(preconditions, fieldOf('preconditions', 'v1.Preconditions').text);
  return checked({
    gracePeriodSeconds: readInteger(body, 'gracePeriodSeconds'),
    uid: read(preconditions, preconditionOf('uid', 'types.UID')),
    resourceVersion: read(preconditions, preconditionOf('resourceVersion', 'string')),
    orphanDependents: readBoolean(body, 'orphanDependents'),
    propagationPolicy: read(body, fieldOf('propagationPolicy', 'v1.DeletionPropagation')),
    dryRun: readStrings(body, 'dryRun'),
    unsafe: readBoolean(body, unsafeField) ?? false,
  });
}

/** A body without a kind counts as DeleteOptions. */
function checkKind(kind: JsonValue): void {
  if (typeof kind !== 'string') {
    const text = `cannot unmarshal ${goJsonKind(kind)} into Go struct field .kind of type string`;
    throw badRequestError(`couldn't get version/kind; json parse error: json: ${text}`);
  }
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw badRequestError('decoded object cannot be converted to DeleteOptions');
  }
}

function checked(options: Unchecked): DeleteOptions {
  refuseOptions('DeleteOptions', deleteErrors(options));
  const { uid, resourceVersion, propagationPolicy } = options;
  return Object.freeze({
    gracePeriodSeconds: options.gracePeriodSeconds,
    preconditions: Object.freeze({
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    }),
    orphanDependents: options.orphanDependents,
    propagationPolicy: isPolicy(propagationPolicy) ? propagationPolicy : undefined,
    dryRun: options.dryRun.length > 0,
    [unsafeField]: options.unsafe,
  });
}

function deleteErrors(options: Unchecked): FieldError[] {
  const errors: FieldError[] = [];
  const policy = options.propagationPolicy;
  if (policy !== undefined && options.orphanDependents !== undefined) {
    const text = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalid('propagationPolicy', policy, text));
  }
  if (policy !== undefined && !isPolicy(policy)) {
    errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  return [...errors, ...dryRunErrors(options.dryRun), ...unsafeErrors(options)];
}

function unsafeErrors(options: Unchecked): FieldError[] {
  if (!options.unsafe) return [];
  const others = [
    ['.propagationPolicy', options.propagationPolicy],
    ['.orphanDependents', options.orphanDependents],
    ['.gracePeriodSeconds', options.gracePeriodSeconds],
    ['.preconditions', options.uid ?? options.resourceVersion],
  ] as const;
  return others.flatMap(([name, value]) =>
    value === undefined ? [] : [invalid(unsafeField, true, `cannot be set together with ${name}`)],
  );
}

/** @throws {StatusError} 422 if deletecollection has the option that only a single delete allows. */
export function refuseUnsafeDeleteCollection(options: DeleteOptions): void {
  if (!options[unsafeField]) return;
  const text = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  refuseOptions('DeleteOptions', [invalid(unsafeField, true, text)]);
}

function isPolicy(text: string | undefined): text is PropagationPolicy {
  return text === 'Foreground' || text === 'Background' || text === 'Orphan';
}

/** A body field and its name in messages of Go's decoder: innermost struct, path, type. */
interface BodyField {
  readonly name: string;
  readonly text: string;
}

function fieldOf(name: string, type: string): BodyField {
  return { name, text: `Go struct field DeleteOptions.${name} of type ${type}` };
}

function preconditionOf(name: string, type: string): BodyField {
  return { name, text: `Go struct field Preconditions.preconditions.${name} of type ${type}` };
}

function read(object: JsonObject, field: BodyField): string | undefined {
  const value = own(object, field.name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(value, field.text);
}

function readBoolean(object: JsonObject, name: string): boolean | undefined {
  const value = own(object, name) ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(value, fieldOf(name, 'bool').text);
}

function readInteger(object: JsonObject, name: string): number | undefined {
  const value = own(object, name) ?? undefined;
  if (value === undefined) return undefined;
  const { text } = fieldOf(name, 'int64');
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return Number(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint') throw unmarshalError(`number ${value}`, text);
  if (typeof value === 'number') throw unmarshalError(`number ${goFloat(value)}`, text);
  throw wrongType(value, text);
}

function readStrings(object: JsonObject, name: string): string[] {
  const value = own(object, name) ?? [];
  if (!Array.isArray(value)) throw wrongType(value, fieldOf(name, '[]string').text);
  return value.map((item) => {
    if (item === null) return '';
    if (typeof item !== 'string') throw wrongType(item, fieldOf(name, 'string').text);
    return item;
  });
}

function wrongType(value: JsonValue, where: string) {
  return unmarshalError(goJsonKind(value), where);
}

function unmarshalError(what: string, where: string) {
  return badRequestError(`json: cannot unmarshal ${what} into ${where}`);
}
