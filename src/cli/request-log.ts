import type { AdmissionLog, RequestLine, RequestLog } from '../http/index.ts';
import type { Logger } from './log.ts';

const slowMs = 1_000;
const charsMax = 256;

/** What `-v` asks for: 2 tells of requests that were slow, 3 of every one. Undefined below. */
export function requestLog(log: Logger, verbosity: number): RequestLog | undefined {
  if (verbosity < 2) return undefined;
  return (line) => {
    if (verbosity < 3 && line.ms <= slowMs) return;
    const shown = cleaned(line);
    log.info({ ...shown }, textOf(shown));
  };
}

/** What `-v 3` asks for: a line for everything that admission did about a write. Undefined below. */
export function admissionLog(log: Logger, verbosity: number): AdmissionLog | undefined {
  if (verbosity < 3) return undefined;
  return (line) => {
    const method = plain(line.method);
    const path = plain(line.path).replaceAll(' ', '%20');
    log.info({ method, path }, `${method} ${path} ${plain(line.text)}`);
  };
}

/** `GET /api/v1/pods 200 12ms user="alice" agent="kubectl/v1.37.0"` */
function textOf({ method, path, code, ms, user, userAgent }: RequestLine): string {
  return `${method} ${path} ${code} ${ms}ms user=${JSON.stringify(user)} agent=${JSON.stringify(userAgent)}`;
}

/** Whoever sends a request must not be able to write lines of the log, nor fill it. */
function cleaned(line: RequestLine): RequestLine {
  const { method, path, user, userAgent } = line;
  return {
    ...line,
    method: plain(method),
    path: plain(path).replaceAll(' ', '%20'),
    user: plain(user),
    userAgent: plain(userAgent),
  };
}

function plain(text: string): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax)}...` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
