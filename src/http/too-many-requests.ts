import { type HttpResponse, plainText } from './message.ts';

/** 429 as upstream gives it where it counts requests: plain text, and when to come back. */
export function tooManyRequests(retryAfterSeconds = 1): HttpResponse {
  const response = plainText(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
}
