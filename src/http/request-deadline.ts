import { badRequestError, parseGoDuration, timeoutError, type Timers } from '../meta/index.ts';
import type { HttpRequest } from './message.ts';
import type { Verb } from './resource-handler.ts';

/**
 * The timeout of a request in milliseconds: `?timeout=`, limited by the server's maximum; undefined without both, and
 * for watches, which end by `timeoutSeconds`. Source: apiserver, endpoints/filters/request_deadline.go.
 *
 * @throws {StatusError} 400 for an invalid duration
 */
export function deadlineMsOf(
  { query }: Pick<HttpRequest, 'query'>,
  { verb, maxMs }: { readonly verb: Verb | undefined; readonly maxMs: number | undefined },
): number | undefined {
  if (verb === 'watch') return undefined;
  const text = query.get('timeout') ?? '';
  if (text === '') return maxMs;
  const asked = parseGoDuration(text);
  if (typeof asked === 'string')
    throw badRequestError(`invalid timeout specified in the request URL - ${asked}`);
  return asked <= 0 ? maxMs : Math.min(asked, maxMs ?? asked);
}

interface Deadline {
  readonly ms: number;
  readonly timers: Timers;
  /** Aborts the work, whose result is no longer needed. */
  readonly onLate: () => void;
}

/** The result of the work, if it is in time. @throws {StatusError} 504 otherwise */
export function beforeDeadline<T>(working: Promise<T>, { ms, timers, onLate }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = timers.after(ms, () => {
      onLate();
      reject(timeoutError('request did not complete within the allotted timeout'));
    });
    working.then(resolve, reject).finally(callOff);
  });
}
