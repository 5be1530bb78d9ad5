import { ApiError, ConnectionError, isAborted, type Status } from './api-error.ts';

interface Asked {
  readonly method?: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Called with every 401 response. */
let onSignedOut: () => void = () => {};

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * Sends a request as the user of the session.
 *
 * @throws {ApiError} for a refusal
 * @throws {ConnectionError} if there was no response
 */
export async function send(path: string, asked: Asked = {}): Promise<Response> {
  const {
    method = 'GET',
    accept = 'application/json',
    contentType = 'application/json',
    body,
    signal,
  } = asked;
  const response = await reach(path, {
    method,
    // Without it the server ignores the session cookie: see docs/console.md.
    headers: {
      accept,
      'x-ilk-console': '1',
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...asked.headers,
    },
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const status = await statusOf(response);
  if (response.status === 401 && !path.startsWith('/console/')) onSignedOut();
  throw new ApiError(response.status, status);
}

/** The response as JSON, whose shape the API guarantees. */
export async function getJson<T>(path: string, asked: Asked = {}): Promise<T> {
  return (await send(path, asked)).json() as Promise<T>;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new ConnectionError('the server cannot be reached', { cause: error });
  }
}

async function statusOf(response: Response): Promise<Status> {
  const text = await response.text().catch(() => '');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Plain text, for example of an unknown path.
  }
  return { message: text.trim() === '' ? response.statusText : text.trim().slice(0, 2_000) };
}
