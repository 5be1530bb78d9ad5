import { DecodeError, decodeJson } from '../codec/index.ts';
import type { HttpRequest, RequestFilter } from '../http/index.ts';
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
import { CaseWorker } from './case-worker.ts';
import { readCase } from './playground-case.ts';

const path = '/ilk/v1/playground';

/**
 * `POST /ilk/v1/playground`: the server's result for a write that is not stored, see docs/playground.md. For users with
 * access to the path. Nothing is kept. The code that runs cases is loaded by the first one.
 *
 * @param featureGates the server's
 */
export function playgroundEndpoint(featureGates: FeatureGates | undefined): RequestFilter {
  let running = 0;
  const run = makeRunner();
  return async ({ http }, next) => {
    if (http.path !== path) return next();
    if (http.method !== 'POST')
      throw methodNotSupportedError({ group: 'ilk', resource: 'playground' }, http.method.toLowerCase());
    if (running >= limits.playgroundCasesMax)
      throw tooManyRequestsError('too many cases run in the playground', 1);
    running += 1;
    try {
      const body = await run(readCase(await readBody(http)), { gates: featureGates, signal: http.signal });
      return { status: 200, headers, body };
    } finally {
      running -= 1;
    }
  };
}

/** A worker thread exists only in the built package; from sources, cases run in the main thread. */
function makeRunner(): CaseWorker['run'] {
  if (!import.meta.url.endsWith('.ts')) {
    const worker = new CaseWorker();
    return (one, parts) => worker.run(one, parts);
  }
  return async (one, { gates }) => {
    const { encodedResult } = await import('./encoded-result.ts');
    return encodedResult(one, gates);
  };
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

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
