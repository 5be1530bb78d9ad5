import { DecodeError, decodeJson } from '../codec/index.ts';
import { type HttpRequest, type HttpResponse, type RequestFilter, valueResponse } from '../http/index.ts';
import {
  badRequestError,
  type FeatureGates,
  isObject,
  type JsonObject,
  limits,
  methodNotSupportedError,
  requestTooLargeError,
  tooManyRequestsError,
} from '../meta/index.ts';

const path = '/ilk/v1/playground';

/**
 * `POST /ilk/v1/playground`: what the server makes of a write that is nowhere: see docs/playground.md. For whoever may use
 * the path. Keeps nothing; a few cases run at a time, and what runs them is loaded by the first.
 *
 * @param featureGates those of the server
 */
export function playgroundEndpoint(featureGates: FeatureGates | undefined): RequestFilter {
  let running = 0;
  return async ({ http }, next) => {
    if (http.path !== path) return next();
    if (http.method !== 'POST')
      throw methodNotSupportedError({ group: 'ilk', resource: 'playground' }, http.method.toLowerCase());
    if (running >= limits.playgroundCasesMax)
      throw tooManyRequestsError('too many cases run in the playground', 1);
    running += 1;
    try {
      return await respond(http, featureGates);
    } finally {
      running -= 1;
    }
  };
}

async function respond(http: HttpRequest, gates: FeatureGates | undefined): Promise<HttpResponse> {
  const body = await readBody(http);
  const { readCase, runCase } = await import('./evaluate.ts');
  const result = await runCase(readCase(body), gates);
  // What it is made of was read from JSON, or is numbers and texts.
  const value = { kind: 'PlaygroundResult', apiVersion: 'ilk/v1', ...result } as unknown as JsonObject;
  return valueResponse(200, value, { mediaType: 'json', pretty: false });
}

async function readBody(http: HttpRequest): Promise<JsonObject> {
  const bytes = await http.body();
  if (bytes.length > limits.playgroundCaseBytesMax)
    throw requestTooLargeError(`a case has at most ${limits.playgroundCaseBytesMax} bytes`);
  try {
    const { value } = decodeJson(bytes);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequestError(`the case is not JSON: ${error.message}`);
  }
  throw badRequestError('a case is a JSON object');
}
