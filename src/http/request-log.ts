import type { HttpRequest } from './message.ts';
import { noteSlowRequest, selectorText, type SlowRequests } from './slow-requests.ts';

/** What is told of a request that was answered: of its query the selectors, nothing of its credentials or its body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** As in `SlowRequest`. */
  readonly selector: string;
  readonly code: number;
  /** Until the answer was ready; of a watch, until it began. */
  readonly ms: number;
  /** Empty where nobody knows. */
  readonly user: string;
  readonly userAgent: string;
  /** True where it was told of as a slow request already. */
  readonly isSlow: boolean;
}

export type RequestLog = (line: RequestLine) => void;

interface Answered extends Pick<RequestLine, 'code' | 'ms' | 'user'> {
  /** Watches take as long as they take. */
  readonly isWatch: boolean;
}

/** Tells of a request that was answered to whoever wants to know. */
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

/** What one plugin, webhook or policy said of a write, or all of them; as `?explain=admission` says it. */
interface AdmissionLine {
  readonly method: string;
  readonly path: string;
  /** `admission: admit: plugin NamespaceLifecycle: allowed in 0.03 ms` */
  readonly text: string;
}

export type AdmissionLog = (line: AdmissionLine) => void;
