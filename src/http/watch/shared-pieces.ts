/** The cache size: watchers that wake together request the same chunk, and there are rarely more groups than this. */
const keptMax = 4;

interface SharedPiece {
  readonly frames: readonly Uint8Array[];
  readonly bytes: Uint8Array;
}

/**
 * Joins the frames of events once for all watchers that get the same ones: in a burst, a thousand watchers wake with
 * the same twenty events.
 */
export class SharedPieces {
  /** Newest first. */
  #kept: SharedPiece[] = [];

  /** The frames as one chunk, which must not be modified. */
  join(frames: readonly Uint8Array[]): Uint8Array {
    const [only] = frames;
    if (frames.length === 1 && only !== undefined) return only;
    const known = this.#kept.find((piece) => isSame(piece.frames, frames));
    if (known !== undefined) return known.bytes;
    const bytes = Buffer.concat(frames);
    this.#kept = [{ frames, bytes }, ...this.#kept.slice(0, keptMax - 1)];
    return bytes;
  }
}

/** Different lists mostly differ in their last frame. */
function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = some.length - 1; at >= 0; at -= 1) if (some[at] !== others[at]) return false;
  return true;
}
