import { createHash } from 'node:crypto';
import { atOnce, type Steps } from '../../meta/index.ts';
import { piecesOf } from '../body.ts';
import type { HttpRequest } from '../message.ts';

/** The ETag of a content: equal bytes have the same one, on every server. */
export function contentHash(pieces: readonly Uint8Array[]): string {
  return atOnce(contentHashInSteps(pieces));
}

/** {@link contentHash} as a generator. */
export function* contentHashInSteps(pieces: readonly Uint8Array[]): Steps<string> {
  const hash = createHash('sha512');
  let hashedBytes = 0;
  for (const piece of piecesOf(pieces, hashedBytesMax)) {
    hash.update(piece);
    hashedBytes += piece.length;
    if (hashedBytes < hashedBytesMax) continue;
    hashedBytes = 0;
    yield;
  }
  return hash.digest('hex').toUpperCase();
}

/** Hashing this much takes some milliseconds. */
const hashedBytesMax = 1024 * 1024;

/** True if the client has this content already. Source: RFC 9110, 13.1.2. */
export function hasAlready(request: HttpRequest, hash: string): boolean {
  const known = request.header('if-none-match')?.split(',') ?? [];
  return known.map((tag) => tag.trim().replace(/^W\//, '')).some((tag) => tag === '*' || tag === `"${hash}"`);
}
