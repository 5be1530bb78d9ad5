import type { Readable } from 'node:stream';
import { badRequestError, limits, requestTooLargeError } from '../../meta/index.ts';

/** A request body. */
interface BodySource {
  readonly stream: Readable;
  /** Calls back if the body is not complete in time; returns the cancel function. */
  readonly waitFor: (durationMs: number, onLate: () => void) => () => void;
  /** Aborts the request of a client that sends too slowly. */
  readonly onSlow: () => void;
}

/**
 * Reads a body up to the limit; longer bodies are discarded.
 *
 * @throws {StatusError} 413 above the limit, 400 if the client disconnects before the end
 */
export function readBody({ stream, waitFor, onSlow }: BodySource): Promise<Uint8Array> {
  const max = limits.requestBodyBytesMax;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    // An empty HTTP/2 body may have ended before a listener was added.
    if (stream.readableEnded) return resolve(Buffer.alloc(0));
    const gone = () => reject(badRequestError('the client went away before its body was read'));
    // A stream that is already over emits nothing.
    if (stream.destroyed) return gone();
    const callOff = waitFor(limits.bodyReadMsMax, onSlow);
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) chunks.push(chunk);
      else reject(requestTooLargeError(`limit is ${max}`));
    });
    stream.on('end', () => {
      callOff();
      resolve(joined(chunks));
    });
    stream.on('close', () => {
      callOff();
      if (!stream.readableEnded) gone();
    });
  });
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
