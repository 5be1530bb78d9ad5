import { type HttpResponse, plainText } from './message.ts';

/** The 429 of upstream's in-flight limits: plain text with Retry-After. */
export function tooManyRequests(retryAfterSeconds = 1): HttpResponse {
  const response = plainText(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
}
