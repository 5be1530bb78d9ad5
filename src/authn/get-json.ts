import { request } from 'node:https';

/** Options of a fetch from an issuer. */
interface GetOptions {
  /** The trusted CAs, as PEM; the system's if undefined. */
  readonly caPem: string | undefined;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** The `Authorization` header; none if empty. */
  readonly authorization?: string;
}

interface SentOptions extends GetOptions {
  /** The form to post; undefined for a GET. */
  readonly form: URLSearchParams | undefined;
}

/**
 * Fetches a document over HTTPS. Redirects and proxies are not used, so that an issuer cannot choose where this process
 * connects to. A response that is too large or too late is an error.
 *
 * @throws {Error} for any response but a 200 in time
 */
export function getDocument(url: string, options: GetOptions): Promise<string> {
  return fetchDocument(url, { ...options, form: undefined });
}

/** Posts a form, as {@link getDocument} gets a document. @throws {Error} for anything but a 200 in time */
export function postForm(url: string, form: URLSearchParams, options: GetOptions): Promise<string> {
  return fetchDocument(url, { ...options, form });
}

function fetchDocument(
  url: string,
  { caPem, timeoutMs, bytesMax, authorization = '', form }: SentOptions,
): Promise<string> {
  const method = form === undefined ? 'GET' : 'POST';
  const what = `${form === undefined ? 'Get' : 'Post'} "${url}"`;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = {
      accept: 'application/json',
      ...(authorization === '' ? {} : { authorization }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = { method, signal, agent: false, headers } as const;
    const sent = request(url, { ...options, ...(caPem !== undefined && { ca: caPem }) }, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > bytesMax)
          answer.destroy(new Error(`${what}: the answer is larger than ${bytesMax} bytes`));
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(pieces).toString());
        else reject(new Error(`${what}: ${answer.statusCode} ${answer.statusMessage ?? ''}`.trimEnd()));
      });
    });
    sent.on('error', (error) =>
      reject(new Error(`${what}: ${signal.aborted ? 'no answer in time' : error.message}`)),
    );
    sent.end(form?.toString());
  });
}
