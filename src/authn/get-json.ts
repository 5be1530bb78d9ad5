import { request } from 'node:https';

/** Options of a fetch from an issuer. */
interface GetOptions {
  /** The trusted CAs, as PEM; the system's if undefined. */
  readonly caPem: string | undefined;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** A bearer token; none if empty. */
  readonly bearer?: string;
}

/**
 * Fetches a document over HTTPS. Redirects and proxies are not used, so that an issuer cannot choose where this process
 * connects to. A response that is too large or too late is an error.
 *
 * @throws {Error} for any response but a 200 in time
 */
export function getDocument(
  url: string,
  { caPem, timeoutMs, bytesMax, bearer = '' }: GetOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const authorization = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { accept: 'application/json', ...authorization };
    const options = { signal, agent: false, headers } as const;
    const sent = request(url, { ...options, ...(caPem !== undefined && { ca: caPem }) }, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > bytesMax)
          answer.destroy(new Error(`Get "${url}": the answer is larger than ${bytesMax} bytes`));
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(pieces).toString());
        else reject(new Error(`Get "${url}": ${answer.statusCode} ${answer.statusMessage ?? ''}`.trimEnd()));
      });
    });
    sent.on('error', (error) =>
      reject(new Error(`Get "${url}": ${signal.aborted ? 'no answer in time' : error.message}`)),
    );
    sent.end();
  });
}
