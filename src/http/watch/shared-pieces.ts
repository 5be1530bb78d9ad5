/** So many are kept: watchers that wake at the same time ask for the same one, and there are seldom more groups of them. */
const keptMax = 4;

interface SharedPiece {
  readonly frames: readonly Uint8Array[];
  readonly bytes: Uint8Array;
}

/**
 * Puts the frames of events together, once for all watchers that get the same ones: in a burst, a thousand watchers wake with the
 * same twenty events.
 */
export class SharedPieces {
  /** The latest first. */
  #kept: SharedPiece[] = [];

  /** The frames in one piece, which is not to be changed. */
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

/** The last ones differ where anything does, mostly. */
function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = some.length - 1; at >= 0; at -= 1) if (some[at] !== others[at]) return false;
  return true;
}
