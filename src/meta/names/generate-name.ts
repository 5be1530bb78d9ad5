/** Letters and digits that form no words and are not mistaken for each other. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const baseBytesMax = 63 - suffixLength;

/** A random whole number from 0 up to, not including, `below`; uniformly distributed. */
type RandomInteger = (below: number) => number;

/** A name for `generateName`: its first 58 bytes and five random characters. */
export function generateName(base: string, random: RandomInteger): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet.charAt(random(alphabet.length)));
  return `${cut(base)}${suffix.join('')}`;
}

/** No valid name has multi-byte characters; cutting one in two only makes the name invalid in another way. */
function cut(base: string): string {
  if (base.length <= baseBytesMax / 3) return base;
  return Buffer.from(base).subarray(0, baseBytesMax).toString();
}

/** A UUID of version 4 in lower case from 16 random bytes: `metadata.uid`. */
export function newUid(randomBytes: (length: number) => Uint8Array): string {
  const bytes = Buffer.from(randomBytes(16));
  const hex = bytes.toString('hex');
  const variant = '89ab'.charAt(((bytes[8] ?? 0) >> 4) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
