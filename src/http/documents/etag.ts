import { createHash } from 'node:crypto';
import type { HttpRequest } from '../message.ts';

/** The name of a content: the same bytes have the same name, also on another server. */
export function contentHash(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha512');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex').toUpperCase();
}

/** True where the client has this content already. Source: RFC 9110, 13.1.2. */
export function hasAlready(request: HttpRequest, hash: string): boolean {
  const known = request.header('if-none-match')?.split(',') ?? [];
  return known.map((tag) => tag.trim().replace(/^W\//, '')).some((tag) => tag === '*' || tag === `"${hash}"`);
}
