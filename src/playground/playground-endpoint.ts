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
import { readObjectsCase } from './objects-case.ts';
import { readCase } from './playground-case.ts';
import type { PlaygroundTask } from './playground-task.ts';

/** What a path does with its body, which has a size of its own where it is small. */
interface Task {
  readonly bytesMax: number;
  readonly read: (body: JsonObject) => PlaygroundTask;
}

const tasks: ReadonlyMap<string, Task> = new Map([
  [
    '/ilk/v1/playground',
    { bytesMax: limits.playgroundCaseBytesMax, read: (body) => ({ write: readCase(body) }) },
  ],
  [
    '/ilk/v1/playground/objects',
    { bytesMax: limits.requestBodyBytesMax, read: (body) => ({ objects: readObjectsCase(body) }) },
  ],
]);

/**
 * `POST /ilk/v1/playground`: the server's result for a write that is not stored. `POST /ilk/v1/playground/objects`: the
 * objects that a definition refuses. See docs/playground.md. For users with access to the path. Nothing is kept. The code
 * that runs cases is loaded by the first one.
 *
 * @param featureGates the server's
 */
export function playgroundEndpoint(featureGates: FeatureGates | undefined): RequestFilter {
  let running = 0;
  const run = makeRunner();
  return async ({ http }, next) => {
    const task = tasks.get(http.path);
    if (task === undefined) return next();
    if (http.method !== 'POST')
      throw methodNotSupportedError({ group: 'ilk', resource: 'playground' }, http.method.toLowerCase());
    if (running >= limits.playgroundCasesMax)
      throw tooManyRequestsError('too many cases run in the playground', 1);
    running += 1;
    try {
      const asked = task.read(await readBody(http, task.bytesMax));
      const body = await run(asked, { gates: featureGates, signal: http.signal });
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
    return (task, parts) => worker.run(task, parts);
  }
  return async (task, { gates }) => {
    const { encodedResult } = await import('./encoded-result.ts');
    return encodedResult(task, gates);
  };
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

async function readBody(http: HttpRequest, bytesMax: number): Promise<JsonObject> {
  const bytes = await http.body();
  if (bytes.length > bytesMax) throw requestTooLargeError(`a case has at most ${bytesMax} bytes`);
  try {
    const { value } = decodeJson(bytes);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequestError(`the case is not JSON: ${error.message}`);
  }
  throw badRequestError('a case is a JSON object');
}
