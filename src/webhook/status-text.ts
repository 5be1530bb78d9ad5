import { goQuote } from '../meta/index.ts';
import type { WebhookResponse } from './webhook-client.ts';

/** The maximum length of a quoted response body. */
const shownBytesMax = 2048;

const texts: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [
    504,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
]);

/** client-go's message for an error response. Source: apimachinery, errors.NewGenericServerResponse. */
export function statusText(response: WebhookResponse): string {
  const { code } = response;
  const said = saidText(response);
  if (code === 403 || code === 415) return said;
  if (code === 406) return said === '' || said === 'unknown' ? unsuitable : said;
  const text = texts.get(code);
  if (text !== undefined) return text;
  if (code >= 500)
    return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

const unsuitable = 'the server was unable to respond with a content type that the client supports';

/** Text is shown unchanged, anything else as `unknown`. */
function saidText({ contentType, body }: WebhookResponse): string {
  const isText = contentType === '' || contentType.toLowerCase().startsWith('text/');
  return isText ? body.subarray(0, shownBytesMax).toString('utf8').trim() : 'unknown';
}
