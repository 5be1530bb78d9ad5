/**
 * A large body whose chunks are created while the client reads. Their source is shared and immutable, so that a slow
 * client holds only one chunk.
 */
export class PiecedBody implements Iterable<Uint8Array> {
  /** The total length; undefined if it is unknown before encoding. */
  readonly byteLength: number | undefined;
  readonly #pieces: () => Iterator<Uint8Array>;

  /** Each iteration creates the chunks again. */
  constructor(byteLength: number | undefined, pieces: () => Iterator<Uint8Array>) {
    this.byteLength = byteLength;
    this.#pieces = pieces;
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#pieces();
  }
}

/** A body that is not a stream: whole or in consecutive chunks. */
export type FiniteBody = Uint8Array | readonly Uint8Array[] | PiecedBody;

/** The length of a body in bytes; undefined for a large body that is encoded while it is sent. */
export function byteLengthOf(body: FiniteBody): number | undefined {
  if (body instanceof Uint8Array || body instanceof PiecedBody) return body.byteLength;
  return body.reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** A body as one buffer, without copying if it is one already. */
export function wholeOf(body: FiniteBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const pieces = [...body];
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** A body as one buffer; undefined if it is longer than the limit; encoding stops there. */
export function wholeUpTo(body: FiniteBody, bytesMax: number): Uint8Array | undefined {
  if ((byteLengthOf(body) ?? 0) > bytesMax) return undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of body instanceof Uint8Array ? [body] : body) {
    length += piece.byteLength;
    if (length > bytesMax) return undefined;
    pieces.push(piece);
  }
  return wholeOf(pieces);
}

/** A body in chunks of a maximum size. Longer chunks are sliced, not copied. */
export function* piecesOf(body: FiniteBody, bytesMax: number): Generator<Uint8Array> {
  for (const piece of body instanceof Uint8Array ? [body] : body) {
    for (let at = 0; at < piece.byteLength; at += bytesMax) yield piece.subarray(at, at + bytesMax);
  }
}
