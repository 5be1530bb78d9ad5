import type { HttpRequest } from './message.ts';
import { noteSlowRequest, selectorText, type SlowRequests } from './slow-requests.ts';

/** The log record of a finished request: contains the selectors of its query, but no credentials or body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** As in `SlowRequest`. */
  readonly selector: string;
  readonly code: number;
  /** Until the response was ready; for a watch, until it started. */
  readonly ms: number;
  /** Empty if the user is unknown. */
  readonly user: string;
  readonly userAgent: string;
  /** True if it was already logged as a slow request. */
  readonly isSlow: boolean;
}

export type RequestLog = (line: RequestLine) => void;

interface Answered extends Pick<RequestLine, 'code' | 'ms' | 'user'> {
  /** The duration of watches is meaningless. */
  readonly isWatch: boolean;
}

/** Passes finished requests to the configured logs. */
export function noteAnswered(
  logs: { readonly slow?: SlowRequests | undefined; readonly requestLog?: RequestLog | undefined },
  http: HttpRequest,
  { isWatch, code, ms, user }: Answered,
): void {
  const { slow, requestLog } = logs;
  // Most requests are neither slow nor logged.
  const mayBeSlow = slow !== undefined && !isWatch && ms >= slow.fromMs;
  if (!mayBeSlow && requestLog === undefined) return;
  const told = { code, ms, user, userAgent: http.header('user-agent') ?? '' };
  const isSlow = mayBeSlow && noteSlowRequest(slow, http, told);
  requestLog?.({
    method: http.method,
    path: http.path,
    selector: selectorText(http.query),
    isSlow,
    ...told,
  });
}

/** The admission result of one plugin, webhook or policy, or of all together, as in `?explain=admission`. */
interface AdmissionLine {
  readonly method: string;
  readonly path: string;
  /** `admission: admit: plugin NamespaceLifecycle: allowed in 0.03 ms` */
  readonly text: string;
}

export type AdmissionLog = (line: AdmissionLine) => void;
