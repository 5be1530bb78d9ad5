import type { HttpRequest } from './message.ts';

/** A request above the threshold. */
export interface SlowRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** `fieldSelector=spec.color=blue&filter=…`; empty without selectors. */
  readonly selector: string;
  readonly code: number;
  readonly ms: number;
  /** Empty if the user is unknown. */
  readonly user: string;
  readonly userAgent: string;
}

/** The threshold for slow requests, and the callback. Watches never count. */
export interface SlowRequests {
  /** Milliseconds. */
  readonly fromMs: number;
  readonly onSlow: (request: SlowRequest) => void;
}

/** Selectors can be long, so they are truncated. */
const textMax = 500;

const selectorParameters = ['fieldSelector', 'labelSelector', 'filter'] as const;

/** The selectors of a query on one line, see {@link SlowRequest.selector}. */
export function selectorText(query: URLSearchParams): string {
  const selectors = selectorParameters.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [`${name}=${value.replaceAll(/\p{Cc}/gu, ' ')}`];
  });
  return selectors.join('&').slice(0, textMax);
}

/** Reports a finished request and returns true, if it was slow. */
export function noteSlowRequest(
  { fromMs, onSlow }: SlowRequests,
  http: HttpRequest,
  { code, ms, user, userAgent }: Pick<SlowRequest, 'code' | 'ms' | 'user' | 'userAgent'>,
): boolean {
  if (ms < fromMs) return false;
  const { method } = http;
  onSlow({
    method,
    path: http.path.slice(0, textMax),
    selector: selectorText(http.query),
    code,
    ms: Math.round(ms),
    user: user.slice(0, textMax),
    userAgent: userAgent.slice(0, textMax),
  });
  return true;
}
