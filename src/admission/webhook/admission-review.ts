import {
  goJsonKind,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
  parseGroupVersion,
  stringList,
  stringMap,
} from '../../meta/index.ts';
import { WebhookError } from '../../webhook/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { type MatchedResource, userInfoOf } from '../expressions/admission-request.ts';
import type { ObjectPair } from '../matching/versioned-objects.ts';

const group = 'admission.k8s.io';

/** What a webhook is asked about. */
interface ReviewRequest {
  readonly version: 'v1' | 'v1beta1';
  readonly uid: string;
  readonly attributes: AdmissionAttributes;
  readonly matchedAs: MatchedResource;
  readonly objects: ObjectPair;
}

/** An AdmissionReview as upstream writes it. Source: apiserver, webhook/request/admissionreview.go. */
export function admissionReview({ version, uid, attributes, matchedAs, objects }: ReviewRequest): JsonObject {
  const { subresource, name, namespace, operation, dryRun, options } = attributes;
  const { resource, kind } = matchedAs;
  return {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${version}`,
    request: {
      uid,
      kind: kindOf(kind),
      resource: { group: resource.group, version: resource.version, resource: resource.resource },
      ...(subresource === '' ? {} : { subResource: subresource }),
      requestKind: kindOf(attributes.kind),
      requestResource: { ...attributes.resource },
      ...(subresource === '' ? {} : { requestSubResource: subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
      operation,
      userInfo: userInfoOf(attributes.user),
      object: objects.object ?? null,
      oldObject: objects.oldObject ?? null,
      dryRun,
      options,
    },
  };
}

function kindOf({ group: kindGroup, version, kind }: MatchedResource['kind']): JsonObject {
  return { group: kindGroup, version, kind };
}

/** What a webhook answers. */
export interface ReviewResponse {
  readonly allowed: boolean;
  /** Why it does not allow the write; undefined where it gives no reason. */
  readonly result: JsonObject | undefined;
  /** The JSON patch as it was sent, in base64; empty where there is none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

/**
 * Reads an answer.
 *
 * @throws {WebhookError} for an invalid response to this review
 */
export function reviewResponse(
  answer: JsonObject,
  { version, uid }: Pick<ReviewRequest, 'version' | 'uid'>,
  phase: 'mutating' | 'validating',
): ReviewResponse {
  requireReview(answer, version);
  const response = own(answer, 'response') ?? null;
  if (response === null) throw invalidResponse('webhook response was absent');
  if (!isObject(response)) throw mistyped(response, 'response', 'AdmissionResponse');
  const read = readResponseFields(response);
  if (version === 'v1beta1') {
    // Before v1, uid and patchType were not checked.
    return { ...read, patchType: read.patch === '' ? '' : 'JSONPatch' };
  }
  requireV1(answer, response, uid);
  requirePatchFields(read, own(response, 'patchType') ?? null, phase);
  return read;
}

function readResponseFields(response: JsonObject): ReviewResponse {
  const allowed = own(response, 'allowed') ?? false;
  if (typeof allowed !== 'boolean') throw mistyped(allowed, 'response.allowed', 'bool');
  const result = own(response, 'status') ?? null;
  if (result !== null && !isObject(result)) throw mistyped(result, 'response.status', 'v1.Status');
  const patch = own(response, 'patch') ?? '';
  if (typeof patch !== 'string') throw mistyped(patch, 'response.patch', '[]uint8');
  return {
    allowed,
    result: result ?? undefined,
    patch,
    patchType: ownString(response, 'patchType') ?? '',
    warnings: stringList(own(response, 'warnings')),
    auditAnnotations: stringMap(own(response, 'auditAnnotations')),
  };
}

function requireV1(answer: JsonObject, response: JsonObject, uid: string): void {
  const answered = own(response, 'uid') ?? '';
  if (answered !== uid) {
    throw invalidResponse(`expected response.uid=${goQuote(uid)}, got ${goQuote(String(answered))}`);
  }
  const { apiVersion, kind } = namesOf(answer);
  if (apiVersion === `${group}/v1` && kind === 'AdmissionReview') return;
  const shown = apiVersion === '' ? '/' : apiVersion;
  throw invalidResponse(
    `expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${shown}, Kind=${kind}`,
  );
}

function requirePatchFields(
  { patch, patchType }: ReviewResponse,
  given: JsonValue,
  phase: 'mutating' | 'validating',
): void {
  const hasType = given !== null;
  if (phase === 'validating') {
    if (patch !== '') throw invalidResponse('validating webhook may not return response.patch');
    if (hasType) throw invalidResponse('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && !hasType)
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  if (patch === '' && hasType)
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  if (hasType && patchType === '')
    throw invalidResponse(`webhook returned invalid response.patchType of ${goQuote(patchType)}`);
}

/** The codec's error for a document of another kind; one without a kind is accepted. */
function requireReview(answer: JsonObject, version: 'v1' | 'v1beta1'): void {
  const { apiVersion, kind } = namesOf(answer);
  const isReview = apiVersion === `${group}/${version}` && kind === 'AdmissionReview';
  if (apiVersion === '' || kind === '' || isReview) return;
  const isKnown = [`${group}/v1`, `${group}/v1beta1`].includes(apiVersion) && kind === 'AdmissionReview';
  if (isKnown) {
    const from = `${parseGroupVersion(apiVersion)?.version ?? ''}.${kind}`;
    throw callFailed(`converting (${from}) to (${version}.AdmissionReview): unknown conversion`);
  }
  throw callFailed(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function namesOf(answer: JsonObject): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: ownString(answer, 'apiVersion') ?? '', kind: ownString(answer, 'kind') ?? '' };
}

function mistyped(value: JsonValue, field: string, type: string): WebhookError {
  const at = field === 'response' ? 'AdmissionReview.response' : `AdmissionResponse.${field}`;
  const shown = type.includes('.') || /^[a-z[]/.test(type) ? type : `v1.${type}`;
  return callFailed(
    `json: cannot unmarshal ${goJsonKind(value)} into Go struct field ${at} of type ${shown}`,
  );
}

function callFailed(text: string): WebhookError {
  return new WebhookError(`failed to call webhook: ${text}`);
}

function invalidResponse(text: string): WebhookError {
  return new WebhookError(`received invalid webhook response: ${text}`);
}
