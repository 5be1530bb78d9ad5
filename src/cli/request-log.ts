import type { AdmissionLog, RequestLine, RequestLog, SlowRequest, SlowRequests } from '../http/index.ts';

/** Writes a line with its fields. */
type WriteLine = (fields: object, text: string) => void;

const charsMax = 256;

/** The fields of a line about a request. */
type Line = Omit<RequestLine, 'isSlow'>;

/** `-v 3` logs a line for every request. Undefined below that. */
export function requestLog(log: { readonly info: WriteLine }, verbosity: number): RequestLog | undefined {
  if (verbosity < 3) return undefined;
  return ({ isSlow, ...line }) => {
    // One line per request.
    if (isSlow) return;
    const shown = cleaned(line);
    log.info({ ...shown }, textOf(shown));
  };
}

/** Slow requests are warnings at every verbosity, with their selectors. */
export function slowRequestLog(log: { readonly warn: WriteLine }, fromMs: number): SlowRequests | undefined {
  if (fromMs === 0) return undefined;
  const onSlow = (slow: SlowRequest) => {
    const shown = cleaned(slow);
    log.warn({ ...shown }, `slow request: ${textOf(shown)}`);
  };
  return { fromMs, onSlow };
}

/** `-v 3` logs a line for everything that admission did about a write. Undefined below that. */
export function admissionLog(log: { readonly info: WriteLine }, verbosity: number): AdmissionLog | undefined {
  if (verbosity < 3) return undefined;
  return (line) => {
    const method = plain(line.method);
    const path = plain(line.path).replaceAll(' ', '%20');
    log.info({ method, path }, `${method} ${path} ${plain(line.text)}`);
  };
}

/** `GET /api/v1/pods labelSelector=app=web 200 12ms user="alice" agent="kubectl/v1.37.0"` */
function textOf({ method, path, selector, code, ms, user, userAgent }: Line): string {
  const what = selector === '' ? path : `${path} ${selector}`;
  return `${method} ${what} ${code} ${ms}ms user=${JSON.stringify(user)} agent=${JSON.stringify(userAgent)}`;
}

/** Clients must not be able to inject lines into the log, nor to fill it. */
function cleaned(line: Line): Line {
  const { method, path, selector, code, ms, user, userAgent } = line;
  return {
    selector: plain(selector),
    code,
    ms,
    method: plain(method),
    path: plain(path).replaceAll(' ', '%20'),
    user: plain(user),
    userAgent: plain(userAgent),
  };
}

function plain(text: string): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax)}...` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
