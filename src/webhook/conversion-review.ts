import {
  goJsonKind,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
  parseGroupVersion,
} from '../meta/index.ts';
import { WebhookError } from './webhook-error.ts';

const group = 'apiextensions.k8s.io';

/** The supported versions of ConversionReview. */
type ReviewVersion = 'v1' | 'v1beta1';

/** The first version in the webhook's list that Ilk supports; undefined if there is none. */
export function reviewVersionOf(understood: readonly string[]): ReviewVersion | undefined {
  for (const version of understood) if (version === 'v1' || version === 'v1beta1') return version;
  return undefined;
}

/** Builds a ConversionReview; it contains the empty response that upstream sends. */
export function conversionReview(
  version: ReviewVersion,
  request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: JsonValue[] },
): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request: { ...request },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/**
 * The objects of the response to a review, not validated.
 *
 * @throws {WebhookError} if it is not a response to this review; with the webhook's message if it refuses
 */
export function convertedObjects(answer: JsonObject, version: ReviewVersion, uid: string): JsonValue[] {
  requireReview(answer, version);
  const response = optionalObject(answer, 'response', ['ConversionReview', `${version}.ConversionResponse`]);
  const result = response && optionalObject(response, 'result', ['ConversionResponse', 'v1.Status']);
  const objects = response === undefined ? [] : listOf(response);
  if (version === 'v1') requireNamed(answer);
  if (response === undefined) throw new WebhookError('no response provided');
  const answered = textOf(response, 'uid', ['ConversionResponse', 'types.UID']);
  if (version === 'v1' && answered !== uid) {
    throw new WebhookError(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  requireSuccess(result ?? {});
  return objects;
}

/** The decoder's error for a document of another kind. */
function requireReview(answer: JsonObject, version: ReviewVersion): void {
  const { apiVersion, kind } = kindOf(answer);
  if (
    apiVersion === '' ||
    kind === '' ||
    (apiVersion === `${group}/${version}` && kind === 'ConversionReview')
  ) {
    return;
  }
  if (isKnown(apiVersion, kind)) {
    const from = `${parseGroupVersion(apiVersion)?.version ?? ''}.${kind}`;
    throw new WebhookError(`converting (${from}) to (${version}.ConversionReview): unknown conversion`);
  }
  throw new WebhookError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function isKnown(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'v1') return kind === 'Status';
  if (apiVersion !== `${group}/v1` && apiVersion !== `${group}/v1beta1`) return false;
  return ['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList'].includes(kind);
}

function kindOf(answer: JsonObject): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: ownString(answer, 'apiVersion') ?? '', kind: ownString(answer, 'kind') ?? '' };
}

/** In v1, the response must contain its apiVersion and kind. */
function requireNamed(answer: JsonObject): void {
  const { apiVersion, kind } = kindOf(answer);
  if (apiVersion !== '' && kind !== '') return;
  const expected = `${group}/v1, Kind=ConversionReview`;
  const shown = apiVersion === '' ? '/' : apiVersion;
  throw new WebhookError(`expected webhook response of ${expected}, got ${shown}, Kind=${kind}`);
}

function requireSuccess(result: JsonObject): void {
  const status = textOf(result, 'status', ['Status', 'string'], 'response.result.');
  if (status === 'Success') return;
  const message = textOf(result, 'message', ['Status', 'string'], 'response.result.');
  throw new WebhookError(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
}

/** The Go type that contains a field, and the type of the field. */
type GoTypes = readonly [owner: string, field: string];

/** Null equals absent. @throws {WebhookError} for any other value that is not an object */
function optionalObject(owner: JsonObject, field: string, types: GoTypes): JsonObject | undefined {
  const value = own(owner, field) ?? null;
  if (value === null) return undefined;
  if (!isObject(value)) throw mistyped(value, field, types);
  return value;
}

function listOf(response: JsonObject): JsonValue[] {
  const value = own(response, 'convertedObjects') ?? null;
  if (value === null) return [];
  if (!Array.isArray(value)) {
    throw mistyped(value, 'convertedObjects', ['ConversionResponse', '[]runtime.RawExtension']);
  }
  return value;
}

function textOf(owner: JsonObject, field: string, types: GoTypes, prefix?: string): string {
  const value = own(owner, field) ?? null;
  if (value === null) return '';
  if (typeof value !== 'string') throw mistyped(value, field, types, prefix);
  return value;
}

/** `json: cannot unmarshal string into Go struct field ConversionReview.response of type v1.ConversionResponse` */
function mistyped(
  value: JsonValue,
  field: string,
  [owner, type]: GoTypes,
  prefix = owner === 'ConversionReview' ? '' : 'response.',
): WebhookError {
  const at = `${owner}.${prefix}${field}`;
  return new WebhookError(
    `json: cannot unmarshal ${goJsonKind(value)} into Go struct field ${at} of type ${type}`,
  );
}
