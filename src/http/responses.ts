import { encodeCbor, encodeJson, encodeJsonPretty, encodeProtobuf, encodeYaml } from '../codec/index.ts';
import {
  type GroupVersionKind,
  type JsonObject,
  ownString,
  parseGroupVersion,
  type Status,
  StatusError,
} from '../meta/index.ts';
import type { ResponseObject } from '../registry/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { type MediaType, mediaTypeNames, negotiate, type Offer, type Representation } from './negotiate.ts';

const newline = Buffer.from('\n');

const errorOffer: Offer = { mediaTypes: ['json', 'yaml', 'protobuf'], transforms: [] };
const errorOfferWithCbor: Offer = { mediaTypes: [...errorOffer.mediaTypes, 'cbor'], transforms: [] };

/** Indented JSON if the query requests it, or if the client looks interactive. Source: apiserver, isPrettyPrint. */
export function wantsPretty(request: HttpRequest): boolean {
  const asked = request.query.get('pretty') ?? '';
  if (asked !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.header('user-agent') ?? '');
}

/** A value in the negotiated media type. */
export function valueResponse(
  status: number,
  value: JsonObject,
  { mediaType, pretty }: { mediaType: MediaType; pretty: boolean },
): HttpResponse {
  return {
    status,
    headers: { 'content-type': mediaTypeNames[mediaType] },
    body: encodeValue(value, { mediaType, pretty }),
  };
}

function encodeValue(
  value: JsonObject,
  { mediaType, pretty }: { mediaType: MediaType; pretty: boolean },
): Uint8Array | readonly Uint8Array[] {
  switch (mediaType) {
    case 'json':
      return pretty ? encodeJsonPretty(value) : [encodeJson(value), newline];
    case 'yaml':
      return encodeYaml(value);
    case 'protobuf':
      return encodeProtobuf(value, kindOf(value));
    case 'cbor':
      return encodeCbor(value);
  }
}

/** An object with encoded JSON: one buffer, including the final newline. */
export function compactResponse(status: number, responseObject: ResponseObject): HttpResponse {
  const length = responseObject.length();
  const body = Buffer.allocUnsafe(length + 1);
  responseObject.writeTo(body, 0);
  body[length] = 0x0a;
  return { status, headers: { 'content-type': mediaTypeNames.json }, body };
}

/**
 * A Status in upstream's key order. Errors are negotiated separately: an unsatisfiable Accept header still gets its
 * refusal, as indented JSON.
 */
export function statusResponse(
  status: Status,
  code: number,
  request: HttpRequest,
  { cbor = false } = {},
): HttpResponse {
  const headers: Record<string, string> = {};
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  if (retryAfter > 0) headers['retry-after'] = String(retryAfter);
  if (code === 401 || code === 403) headers['x-content-type-options'] = 'nosniff';
  const { mediaType, pretty } = errorRepresentation(request, cbor ? errorOfferWithCbor : errorOffer);
  headers['content-type'] = mediaTypeNames[mediaType];
  return { status: code, headers, body: encodeStatus(status, mediaType, pretty) };
}

/** The response for a refusal. */
export function refusalResponse(
  error: StatusError,
  request: HttpRequest,
  { cbor = false } = {},
): HttpResponse {
  return statusResponse(error.status, error.code, request, { cbor });
}

function encodeStatus(status: Status, mediaType: MediaType, pretty: boolean): Uint8Array {
  const text = JSON.stringify(status, undefined, pretty ? 2 : undefined);
  if (mediaType === 'json') return Buffer.from(pretty ? text : `${text}\n`);
  const value: JsonObject = JSON.parse(text);
  if (mediaType === 'cbor') return encodeCbor(value);
  return mediaType === 'yaml' ? encodeYaml(value) : encodeProtobuf(value, kindOf(value));
}

function errorRepresentation(
  request: HttpRequest,
  offer: Offer,
): Pick<Representation, 'mediaType' | 'pretty'> {
  try {
    const { mediaType, pretty } = negotiate(request.header('accept'), offer);
    return { mediaType, pretty: pretty || wantsPretty(request) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { mediaType: 'json', pretty: true };
  }
}

function kindOf(value: JsonObject): GroupVersionKind {
  const parsed = parseGroupVersion(ownString(value, 'apiVersion') ?? '');
  return { group: parsed?.group ?? '', version: parsed?.version ?? '', kind: ownString(value, 'kind') ?? '' };
}
