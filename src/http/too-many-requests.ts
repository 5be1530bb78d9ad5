import { type HttpResponse, plainText } from './message.ts';

/** Upstream's 429 of its in-flight limits: plain text with Retry-After. */
export function tooManyRequests(retryAfterSeconds = 1): HttpResponse {
  const response = plainText(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
}
