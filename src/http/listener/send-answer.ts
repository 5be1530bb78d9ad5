import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { limits, type Slices } from '../../meta/index.ts';
import { byteLengthOf, type FiniteBody, PiecedBody, piecesOf, wholeOf } from '../body.ts';
import { type HttpRequest, type HttpResponse, isStream } from '../message.ts';
import type { AnswerHold } from '../overload/index.ts';
import type { AnswerWriter, OutgoingHeaders } from './answer-writer.ts';

/** Options for sending a response. */
interface SendOptions {
  readonly request: HttpRequest & { readonly hold: AnswerHold };
  readonly writer: AnswerWriter;
  /** Calls back if the client reads nothing in time; returns the cancel function. */
  readonly waitFor: (durationMs: number, onLate: () => void) => () => void;
  /** Called before a response is aborted because the client does not read it. */
  readonly onStall: () => void;
  /** The time slice for creating chunks. */
  readonly slices: Slices;
}

/** Bodies up to this size are sent with their head; longer ones follow in chunks, as the client reads them. */
const wholeBytesMax = 16 * 1024;

/**
 * Sends a response. Returns immediately for a small one; otherwise when the client has read all but the last chunk.
 *
 * @throws errors of the body's source; the caller must then abort the response
 */
export function sendAnswer(answer: HttpResponse, options: SendOptions): void | Promise<void> {
  const { writer, request } = options;
  if (writer.gone) return;
  const { body, headers, status } = answer;
  // The headers describe the body that HEAD omits.
  if (request.method === 'HEAD') {
    writer.head(status, headers);
    return writer.end();
  }
  if (isStream(body)) {
    writer.head(status, headers);
    return sendPieces(body, options);
  }
  const byteLength = byteLengthOf(body);
  const isLarge = (byteLength ?? Number.POSITIVE_INFINITY) > limits.compressFromBytes;
  // Already compressed bodies are kept.
  const isCompressed = isLarge && headers['content-encoding'] === undefined && acceptsGzip(request);
  request.hold.set(heldBytes(body) + (isCompressed ? compressorBytes : 0));
  if (isCompressed) {
    writer.head(status, compressedHeaders(headers));
    return sendPieces(compressed(body), options);
  }
  if (byteLength === undefined) {
    writer.head(status, headers);
    return sendPieces(piecesOf(body, limits.sendPieceBytesMax), options);
  }
  if (byteLength <= wholeBytesMax) return writer.whole(status, headers, wholeOf(body));
  writer.head(status, { ...headers, 'content-length': String(byteLength) });
  return sendPieces(piecesOf(body, limits.sendPieceBytesMax), options, byteLength);
}

/** The memory of a body until it is read: all of it, or one sent and one created chunk. */
function heldBytes(body: FiniteBody): number {
  return body instanceof PiecedBody ? 2 * limits.sendPieceBytesMax : (byteLengthOf(body) ?? 0);
}

/** The state of a compressor and its buffers. */
const compressorBytes = 512 * 1024;

async function sendPieces(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: SendOptions,
  byteLength?: number,
): Promise<void> {
  const { writer, slices } = options;
  let sent = 0;
  for await (const piece of pieces) {
    // A client that keeps up does not cause waits.
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    if (writer.gone) return;
    sent += piece.length;
    if (sent === byteLength) {
      writer.end(piece);
      return drained(options);
    }
    if (!writer.write(piece)) await drained(options);
    if (writer.gone) return;
  }
  if (!writer.gone) writer.end();
}

/** Waits until the client has received the written bytes; aborts if it reads nothing. */
async function drained({ writer, waitFor, onStall }: SendOptions): Promise<void> {
  const callOff = waitFor(limits.sendStallMsMax, () => {
    onStall();
    writer.abort();
  });
  await writer.drained();
  callOff();
}

function compressedHeaders(headers: OutgoingHeaders): OutgoingHeaders {
  const { vary } = headers;
  return {
    ...headers,
    'content-encoding': 'gzip',
    vary: vary === undefined ? 'Accept-Encoding' : `${[vary].flat().join(', ')}, Accept-Encoding`,
  };
}

function acceptsGzip(request: HttpRequest): boolean {
  const accepted = request.header('accept-encoding') ?? '';
  return accepted.split(',').some((part) => part.trim() === 'gzip');
}

/** Compresses in another thread, chunk by chunk, as fast as the result is read. */
function compressed(body: FiniteBody): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
  // Errors surface where the result is read.
  return pipeline(Readable.from(piecesOf(body, limits.sendPieceBytesMax)), gzip, () => {});
}
