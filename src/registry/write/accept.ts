import { MetadataTypeError } from '../../schema/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import {
  badRequestError,
  type FieldValidation,
  formatGroupVersion,
  type KubeObject,
  limits,
  ownString,
} from '../../meta/index.ts';
import { decodeObject, type RequestBody } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { keepEmptyManagedFields } from './managed-fields-reset.ts';
import { refuseSurelyTooLarge } from '../representation/stored-size.ts';
import type { Target } from '../resource/target.ts';

/**
 * Takes the object of a create or an update out of the body: decoded, of the right version, in the shape of the
 * schema. What the schema does not know is dropped, and refused, warned of or ignored as the client asks.
 *
 * @throws {StatusError} 400, 500 for an object that is too large to be stored
 */
export function acceptObject(
  { type, version }: Pick<Target, 'type' | 'version'>,
  body: RequestBody,
  { fieldValidation, context }: { fieldValidation: FieldValidation; context: RequestContext },
): KubeObject {
  const apiVersion = formatGroupVersion(type.group, version.name);
  const { object, strictErrors } = decodeObject(body, {
    kind: type.kind,
    apiVersion,
    isDefault: type.isBuiltIn,
  });
  keepEmptyManagedFields(object, { type });
  const what = `${ownString(object, 'kind')} in version "${version.name}" cannot be handled as a ${type.kind}`;
  const unknown = normalizeOrRefuse(object, version, what);
  const errors = limitStrictErrors([...strictErrors, ...unknown]);
  if (errors.length > 0 && fieldValidation === 'Strict') {
    const isYaml = 'format' in body && body.format === 'yaml';
    const shown = isYaml ? limitStrictErrors([...yamlErrors(strictErrors), ...unknown]) : errors;
    throw badRequestError(`${what}: ${strictErrorText(shown)}`);
  }
  if (fieldValidation === 'Warn') context.warnings.add(...errors);
  if ('bytes' in body && body.bytes.length > limits.storedObjectBytesMax) refuseSurelyTooLarge(object);
  return object;
}

/** Upstream's YAML library makes one error of all keys that are there twice. */
function yamlErrors(duplicates: readonly string[]): string[] {
  const lines = duplicates.map((line) => `\n  ${line}`);
  return lines.length === 0 ? [] : [`yaml: unmarshal errors:${lines.join('')}`];
}

/** `strict decoding error: unknown field "spec.a", unknown field "spec.b"` */
export function strictErrorText(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(', ')}`;
}

/**
 * Brings an object into the schema's shape; gives a strict error for each field that it dropped. What it shares with a
 * settled object is in shape.
 */
export function normalizeStrictly(
  object: KubeObject,
  version: ResourceVersion,
  settled?: KubeObject,
): string[] {
  const unknownFields: string[] = [];
  version.schema().normalize(object, { unknownFields, settled });
  return unknownFields.map((path) => `unknown field "${path}"`);
}

export function limitStrictErrors(errors: readonly string[]): readonly string[] {
  return [...new Set(errors)].slice(0, limits.strictErrorsMax);
}

function normalizeOrRefuse(object: KubeObject, version: ResourceVersion, what: string): string[] {
  try {
    return normalizeStrictly(object, version);
  } catch (error) {
    if (!(error instanceof MetadataTypeError)) throw error;
    throw badRequestError(`${what}: ${error.message}`);
  }
}
