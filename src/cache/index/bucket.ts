import { createHash } from 'node:crypto';

/** Longer values are hashed: a value may be as long as a request body. */
const plainCharsMax = 64;
const hashMark = '\0';

/** Stands for a missing value, if that differs from an empty one; no text has this bucket. */
export const absentBucket = `${hashMark}absent`;

/** The index key of a value: the value itself, or the SHA-256 of a long one. Equal buckets mean equal values. */
export function bucketOf(value: string): string {
  if (value.length <= plainCharsMax && !value.startsWith(hashMark)) return value;
  return hashMark + createHash('sha256').update(value).digest('base64url');
}

/** The value of a bucket; undefined for a hash. */
export function textOfBucket(bucket: string): string | undefined {
  return bucket.startsWith(hashMark) ? undefined : bucket;
}
