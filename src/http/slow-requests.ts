import type { HttpRequest } from './message.ts';

/** A request that took longer than it should. */
export interface SlowRequest {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** `fieldSelector=spec.color=blue&filter=…`; empty where everything was asked for. */
  readonly selector: string;
  readonly code: number;
  readonly ms: number;
  /** Empty where nobody knows. */
  readonly user: string;
  readonly userAgent: string;
}

/** Which requests are told of, and to whom. Watches never are. */
export interface SlowRequests {
  /** Milliseconds. */
  readonly fromMs: number;
  readonly onSlow: (request: SlowRequest) => void;
}

/** Clients may send long ones. */
const textMax = 500;

const selectorParameters = ['fieldSelector', 'labelSelector', 'filter'] as const;

/** The selectors of a query on one line, as {@link SlowRequest.selector} has them. */
export function selectorText(query: URLSearchParams): string {
  const selectors = selectorParameters.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value === '' ? [] : [`${name}=${value.replaceAll(/\p{Cc}/gu, ' ')}`];
  });
  return selectors.join('&').slice(0, textMax);
}

/** Tells of an answered request if it was slow: then true. */
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
