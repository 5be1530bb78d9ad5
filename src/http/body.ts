/**
 * A large body whose pieces are made one after the other, as the client takes them. What they are made from is shared
 * and immutable, so a client that reads slowly holds one piece.
 */
export class PiecedBody implements Iterable<Uint8Array> {
  /** That of all pieces together; undefined where only making them would tell. */
  readonly byteLength: number | undefined;
  readonly #pieces: () => Iterator<Uint8Array>;

  /** Each iteration makes the pieces anew. */
  constructor(byteLength: number | undefined, pieces: () => Iterator<Uint8Array>) {
    this.byteLength = byteLength;
    this.#pieces = pieces;
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#pieces();
  }
}

/** A body that does not stream: whole, or in pieces that follow each other. */
export type FiniteBody = Uint8Array | readonly Uint8Array[] | PiecedBody;

/** The length of a body in bytes; undefined for a large body that is encoded while it is sent. */
export function byteLengthOf(body: FiniteBody): number | undefined {
  if (body instanceof Uint8Array || body instanceof PiecedBody) return body.byteLength;
  return body.reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** A body as one buffer; not copied where it is one. */
export function wholeOf(body: FiniteBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const pieces = [...body];
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** A body in pieces of at most so many bytes. Pieces that are longer are cut, not copied. */
export function* piecesOf(body: FiniteBody, bytesMax: number): Generator<Uint8Array> {
  for (const piece of body instanceof Uint8Array ? [body] : body) {
    for (let at = 0; at < piece.byteLength; at += bytesMax) yield piece.subarray(at, at + bytesMax);
  }
}
