import { DecodeError, decodeJson, decodeYaml, kindMistake } from '../codec/index.ts';
import { isObject, type JsonObject, type JsonValue, own, ownString } from '../meta/index.ts';
import { statusText } from './status-text.ts';
import type { WebhookResponse } from './webhook-client.ts';
import { WebhookError } from './webhook-error.ts';

/**
 * The response body, as JSON or YAML; an empty object for null, as in Go.
 *
 * @throws {WebhookError} for an error response, and for a body that cannot be parsed
 */
export function readResponse(response: WebhookResponse): JsonObject {
  const { code, contentType, body } = response;
  if (code < 200 || code > 206) throw refusalOf(response);
  if (body.length === 0) {
    const type = contentType === '' ? 'application/json' : contentType;
    throw new WebhookError(`0-length response with status code: ${code} and content type: ${type}`);
  }
  const value = decode(body);
  const mistake = kindMistake(value);
  if (mistake !== undefined) throw new WebhookError(`${parseErrorPrefix}json: ${mistake}`);
  return isObject(value) ? value : {};
}

const parseErrorPrefix = "couldn't get version/kind; json parse error: ";

/** A body that starts with a brace is parsed as JSON. */
function decode(body: Buffer): JsonValue {
  const isJson = looksLikeJson(body);
  try {
    return isJson ? decodeJson(body).value : decodeYaml(body).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new WebhookError(`${isJson ? parseErrorPrefix : ''}${error.message}`);
  }
}

const whiteSpace: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

function looksLikeJson(body: Buffer): boolean {
  const first = body.findIndex((byte) => !whiteSpace.has(byte));
  return body[first] === 0x7b;
}

/** A Status contains its own message. */
function refusalOf(response: WebhookResponse): WebhookError {
  const status = statusOf(response.body);
  if (status === undefined) return new WebhookError(statusText(response), response.code);
  const code = own(status, 'code');
  return new WebhookError(
    ownString(status, 'message') ?? '',
    typeof code === 'number' ? code : response.code,
  );
}

function statusOf(body: Buffer): JsonObject | undefined {
  if (body.length === 0) return undefined;
  try {
    const { value } = decodeJson(body);
    if (!isObject(value) || ownString(value, 'kind') !== 'Status') return undefined;
    return ownString(value, 'status') === 'Failure' ? value : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
