import { createHash } from 'node:crypto';

/** Longer values are kept as their hash: a value may be as long as a request body. */
const plainCharsMax = 64;
const hashMark = '\0';

/** Stands for a value that is not there, where that is not the same as an empty one; no text has this bucket. */
export const absentBucket = `${hashMark}absent`;

/**
 * What an index keeps of a value: the value itself, or the SHA-256 of one that is long. Two values have the same
 * bucket only if they are the same, as far as anybody knows of SHA-256.
 */
export function bucketOf(value: string): string {
  if (value.length <= plainCharsMax && !value.startsWith(hashMark)) return value;
  return hashMark + createHash('sha256').update(value).digest('base64url');
}

/** The value that a bucket was made of; undefined where the bucket does not tell. */
export function textOfBucket(bucket: string): string | undefined {
  return bucket.startsWith(hashMark) ? undefined : bucket;
}
