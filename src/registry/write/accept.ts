import { decodeJsonAsWritten } from '../../codec/index.ts';
import { MetadataTypeError, normalizeInSteps as normalizeBySchema } from '../../schema/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import {
  atOnce,
  badRequestError,
  type FieldValidation,
  formatGroupVersion,
  type KubeObject,
  limits,
  ownString,
  own,
  StatusError,
  type Steps,
} from '../../meta/index.ts';
import { decodeObject, type RequestBody } from '../request/body.ts';
import { type RequestContext, Warnings } from '../request/context.ts';
import { normalizeForeign, saidKind } from './foreign-kind.ts';
import { keepEmptyManagedFields } from './managed-fields-reset.ts';
import { refuseSurelyTooLarge } from '../representation/stored-size.ts';
import type { Target } from '../resource/target.ts';

/**
 * Decodes the object of a create or update from the body, checks its version, and normalizes it by the schema.
 * Unknown fields are dropped, and refused, warned of or ignored, as the client requests. In steps.
 *
 * @throws {StatusError} 400, 500 for an object that is too large to be stored
 */
export function* acceptObject(
  target: Pick<Target, 'type' | 'version'>,
  body: RequestBody,
  options: AcceptOptions,
): Steps<KubeObject> {
  try {
    return yield* acceptBody(target, body, options);
  } catch (error) {
    if (target.type.isBuiltIn && error instanceof StatusError && numberError.test(error.message))
      refuseAsWritten(target, body, options);
    throw error;
  }
}

export interface AcceptOptions {
  readonly fieldValidation: FieldValidation;
  readonly context: Pick<RequestContext, 'warnings'>;
}

const numberError = /json: cannot unmarshal number -?[0-9]/;

/** Refuses a body with a number that its field cannot hold, in the client's spelling and with the field's path. */
function refuseAsWritten(
  target: Pick<Target, 'type' | 'version'>,
  body: RequestBody,
  { fieldValidation }: AcceptOptions,
): void {
  if (!('bytes' in body) || body.format !== 'json') return;
  const context = { warnings: new Warnings() };
  atOnce(acceptBody(target, { value: decodeJsonAsWritten(body.bytes) }, { fieldValidation, context }));
}

function* acceptBody(
  { type, version }: Pick<Target, 'type' | 'version'>,
  body: RequestBody,
  { fieldValidation, context }: AcceptOptions,
): Steps<KubeObject> {
  const apiVersion = formatGroupVersion(type.group, version.name);
  const isDefault = type.isBuiltIn;
  const isStrict = fieldValidation !== 'Ignore';
  const { isLenientAt } = version.schema();
  const expected = { kind: type.kind, apiVersion, isDefault, isStrict, isLenientAt };
  const { object, strictErrors } = yield* decodeObject(body, expected);
  yield;
  keepEmptyManagedFields(object, { type });
  const said = isDefault ? undefined : saidKind(object);
  const kind = ownString(object, 'kind') ?? '';
  const what = `${kind} in version "${said?.version ?? version.name}" cannot be handled as a`;
  if (!isDefault && own(object, 'apiVersion') === null)
    throw badRequestError(`${what} ${type.kind}: ${nullVersionText}`);
  const isForeign =
    said !== undefined && (kind !== type.kind || ownString(object, 'apiVersion') !== apiVersion);
  const unknown = yield* normalizeOrRefuse(`${what} ${type.kind}`, () =>
    isForeign ? inOneStep(() => normalizeForeign(object, said, type)) : normalizeInSteps(object, version),
  );
  const errors = limitStrictErrors([...strictErrors, ...unknown]);
  if (errors.length > 0 && fieldValidation === 'Strict') {
    const isYaml = 'format' in body && body.format === 'yaml';
    const shown = isYaml ? limitStrictErrors([...yamlErrors(strictErrors), ...unknown]) : errors;
    if (said !== undefined && (ownString(object, 'apiVersion') ?? '') === '')
      throw badRequestError(noVersionText);
    throw badRequestError(`${what} ${said?.kind ?? type.kind}: ${strictErrorText(shown)}`);
  }
  if (fieldValidation === 'Warn') context.warnings.add(...errors);
  if (isForeign) requireApiVersion(object, apiVersion);
  yield;
  if ('bytes' in body && body.bytes.length > limits.storedObjectBytesMax) refuseSurelyTooLarge(object);
  return object;
}

/** Upstream's YAML library reports all duplicate keys as one error. */
function yamlErrors(duplicates: readonly string[]): string[] {
  const lines = duplicates.map((line) => `\n  ${line}`);
  return lines.length === 0 ? [] : [`yaml: unmarshal errors:${lines.join('')}`];
}

/** `strict decoding error: unknown field "spec.a", unknown field "spec.b"` */
export function strictErrorText(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(', ')}`;
}

/**
 * Normalizes an object by the schema; returns a strict error for each dropped field. Parts shared with a settled
 * object are already normalized.
 */
export function* normalizeInSteps(
  object: KubeObject,
  version: ResourceVersion,
  settled?: KubeObject,
): Steps<string[]> {
  const unknownFields: string[] = [];
  yield* normalizeBySchema(version.schema(), object, { unknownFields, settled });
  return unknownFields.map((path) => `unknown field "${path}"`);
}

export function limitStrictErrors(errors: readonly string[]): readonly string[] {
  return [...new Set(errors)].slice(0, limits.strictErrorsMax);
}

/** Upstream's message for `apiVersion: null`. */
export const nullVersionText = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

/** Upstream's message for an object without a version, if there is another error. */
export const noVersionText = "Object 'apiVersion' is missing in 'object has no apiVersion field'";

/** @throws {StatusError} 400 if the body has another version */
function requireApiVersion(object: KubeObject, expected: string): void {
  const found = ownString(object, 'apiVersion') ?? '';
  if (found === expected) return;
  throw badRequestError(
    `the API version in the data (${found}) does not match the expected API version (${expected})`,
  );
}

function* inOneStep<Result>(work: () => Result): Steps<Result> {
  yield;
  return work();
}

function* normalizeOrRefuse(what: string, normalize: () => Steps<string[]>): Steps<string[]> {
  try {
    return yield* normalize();
  } catch (error) {
    if (!(error instanceof MetadataTypeError)) throw error;
    throw badRequestError(`${what}: ${error.message}`);
  }
}
