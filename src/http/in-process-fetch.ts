import { limits, requestTooLargeError, type UserInfo } from '../meta/index.ts';
import { ConnectionDropped } from './filter.ts';
import type { Handler } from './handler.ts';
import { type HttpRequest, type HttpResponse, isStream } from './message.ts';

/** `fetch` without a socket: the same handler, called as a function. Relative paths only. */
export type InProcessFetch = (path: string, init?: RequestInit) => Promise<Response>;

/** A fetch that speaks for a user, with no credentials to show. */
export function inProcessFetch(handler: Handler, user: UserInfo): InProcessFetch {
  return async (path, init = {}) => {
    const request = new Request(new URL(path, 'http://ilk.internal'), {
      ...init,
      duplex: 'half',
    } as RequestInit);
    try {
      return toResponse(await unlessAborted(request.signal, handler.handle(toHttpRequest(request, user))));
    } catch (error) {
      // What `fetch` says of every connection that breaks.
      throw error instanceof ConnectionDropped ? new TypeError('fetch failed', { cause: error }) : error;
    }
  };
}

/** Rejects as `fetch` does when its caller gives up; what the server does goes on as behind a lost connection. */
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

function toHttpRequest(request: Request, trustedUser: UserInfo): HttpRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => request.headers.get(name) ?? undefined,
    body: () => readBody(request),
    certificate: undefined,
    trustedUser,
    signal: request.signal,
  };
}

async function readBody(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const max = limits.requestBodyBytesMax;
  if (bytes.length > max) throw requestTooLargeError(`limit is ${max}`);
  return bytes;
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) fields.append(name, one);
  }
  if (status === 304) return new Response(null, { status, headers: fields });
  if (isStream(body)) return new Response(ReadableStream.from(body), { status, headers: fields });
  const pieces = body instanceof Uint8Array ? [body] : body;
  return new Response(Buffer.concat(pieces), { status, headers: fields });
}
