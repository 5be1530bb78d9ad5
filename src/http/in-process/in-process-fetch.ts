import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits, parseQuery, requestTooLargeError, type UserInfo } from '../../meta/index.ts';
import { ConnectionDropped } from '../filter.ts';
import type { Handler } from '../handler.ts';
import { headersOf, readHeaders } from './in-process-headers.ts';
import { responseOf } from './in-process-response.ts';
import { type HttpRequest, isStream } from '../message.ts';

/** `fetch` without a socket: calls the handler directly. Accepts only relative paths. */
export type InProcessFetch = (path: string, init?: RequestInit) => Promise<Response>;

/** After this many calls within one turn of the event loop, each yields. */
const callsInTurnMax = 32;

/** Returns a fetch that acts as a user without credentials; without a user, requests authenticate by their headers. */
export function inProcessFetch(handler: Handler, user?: UserInfo): InProcessFetch {
  let callsInTurn = 0;
  return async (path, init = {}) => {
    // The count is reset by the next turn of the event loop.
    if (callsInTurn === 0) setImmediate(() => (callsInTurn = 0));
    callsInTurn += 1;
    const request = requestOf(path, init, user);
    try {
      const answering = handler.handle(request);
      // Without a signal, the call cannot be aborted.
      const answer = await (init.signal == null ? answering : unlessAborted(init.signal, answering));
      // A caller that retries immediately after a refusal or the end of a watch must not starve the event loop, nor one
      // that polls cached state.
      if (isStream(answer.body) || answer.status >= 400 || callsInTurn >= callsInTurnMax) await nextTurn();
      return responseOf(answer);
    } catch (error) {
      // The error of `fetch` for a broken connection.
      throw error instanceof ConnectionDropped ? new TypeError('fetch failed', { cause: error }) : error;
    }
  };
}

/** Rejects like `fetch` when its caller aborts; the server continues as after a lost connection. */
async function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  const { promise, reject } = rejectable();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function rejectable(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<never>((_, onReject) => {
    reject = onReject;
  });
  return { promise, reject };
}

const origin = 'http://ilk.internal';

/** The body of nearly every call: a plain value. */
type PlainBody = string | Uint8Array | null | undefined;

function isPlain(body: RequestInit['body']): body is PlainBody {
  return body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
}

/** Creating a `Request` takes longer than most responses, so it is only created for bodies that need it. */
function requestOf(path: string, init: RequestInit, trustedUser: UserInfo | undefined): HttpRequest {
  const { body, method = 'GET' } = init;
  if (!isPlain(body) || (body != null && /^(get|head)$/i.test(method))) {
    const url = new URL(path, origin);
    return fromRequest(new Request(url, { ...init, duplex: 'half' } as RequestInit), trustedUser);
  }
  const given = readHeaders(init.headers);
  const contentType = typeof body === 'string' ? 'text/plain;charset=UTF-8' : undefined;
  const url = new URL(path, origin);
  const end = new CallEnd(init.signal ?? undefined);
  return {
    // `fetch` converts these methods to upper case, and only these.
    method: /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method,
    path: url.pathname,
    query: parseQuery(url.search.slice(1)),
    search: url.search.slice(1),
    header: (name) => given.get(name) ?? (name === 'content-type' ? contentType : undefined),
    headersFrom: (prefix) => given.from(prefix),
    body: async () => withinLimit(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())),
    certificate: undefined,
    ...(trustedUser && { trustedUser }),
    get signal() {
      return end.signal;
    },
    expire: () => end.expire(),
  };
}

/** Ends a call when its caller aborts it or its time is over. */
class CallEnd {
  readonly #given: AbortSignal | undefined;
  readonly #late = new AbortController();
  #signal: AbortSignal | undefined;

  constructor(given: AbortSignal | undefined) {
    this.#given = given;
  }

  get signal(): AbortSignal {
    const late = this.#late.signal;
    this.#signal ??= this.#given === undefined ? late : AbortSignal.any([this.#given, late]);
    return this.#signal;
  }

  expire(): void {
    this.#late.abort();
  }
}

function fromRequest(request: Request, trustedUser: UserInfo | undefined): HttpRequest {
  const url = new URL(request.url);
  const headers = headersOf(request.headers);
  let bytes: Promise<ArrayBuffer> | undefined;
  const end = new CallEnd(request.signal);
  return {
    method: request.method,
    path: url.pathname,
    query: parseQuery(url.search.slice(1)),
    search: url.search.slice(1),
    header: (name) => headers.get(name),
    headersFrom: (prefix) => headers.from(prefix),
    body: async () => withinLimit(new Uint8Array(await (bytes ??= request.arrayBuffer()))),
    certificate: undefined,
    ...(trustedUser && { trustedUser }),
    get signal() {
      return end.signal;
    },
    expire: () => end.expire(),
  };
}

function withinLimit(bytes: Uint8Array): Uint8Array {
  const max = limits.requestBodyBytesMax;
  if (bytes.length > max) throw requestTooLargeError(`limit is ${max}`);
  return bytes;
}
