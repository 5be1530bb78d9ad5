import { type JsonAnatomy, type JsonPart, skipString, skipValue } from '../../codec/index.ts';

/**
 * Objects are stored without `metadata.resourceVersion`, because it is the revision of the write itself. For a
 * response it is inserted into the stored bytes, at its place in key order, without parsing.
 */

/** The position of the member in canonical JSON, and the commas it needs there. */
export interface SplicePoint {
  readonly at: number;
  readonly before: '' | ',';
  readonly after: '' | ',';
}

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

const metadataKey = Buffer.from('"metadata"');
const resourceVersionKey = Buffer.from('"resourceVersion"');

/**
 * Finds the position of `resourceVersion` in an object's canonical JSON (sorted keys, no white space). Undefined if
 * the object has no metadata object or already has a resourceVersion.
 *
 * `{"kind":"A","metadata":{"name":"x","uid":"1"}}` gives the offset of `"uid"` and a comma after.
 *
 * @param anatomy of the same bytes; if known, most of them are skipped
 */
export function findSplicePoint(bytes: Uint8Array, anatomy?: JsonAnatomy): SplicePoint | undefined {
  const part = anatomy?.root.parts?.get('metadata');
  const metadata = part?.offset ?? findMember(bytes, 1, metadataKey);
  if (metadata === undefined || bytes[metadata] !== openBrace) return undefined;
  let at = metadata + 1;
  if (bytes[at] === closeBrace) return { at, before: '', after: '' };
  const known = part === undefined ? undefined : lastPartBefore(part, 'resourceVersion');
  if (known !== undefined) {
    at = metadata + known.offset + known.length;
    if (bytes[at] !== comma) return { at, before: ',', after: '' };
    at += 1;
  }
  for (;;) {
    const order = compareKey(bytes, at, resourceVersionKey);
    if (order === 0) return undefined;
    if (order > 0) return { at, before: '', after: ',' };
    at = skipMember(bytes, at);
    if (bytes[at] !== comma) return { at, before: ',', after: '' };
    at += 1;
  }
}

/** The last object or list among the members before a key. */
function lastPartBefore({ parts }: JsonPart, key: string): JsonPart | undefined {
  let last: JsonPart | undefined;
  for (const [name, part] of parts ?? []) if (String(name) < key) last = part;
  return last;
}

/** The bytes with `"resourceVersion":"<revision>"` inserted. */
export function spliceResourceVersion(bytes: Uint8Array, point: SplicePoint, revision: number): Buffer {
  const whole = Buffer.allocUnsafe(splicedLength(bytes, point, revision));
  writeSpliced(bytes, { point, revision, target: whole, at: 0 });
  return whole;
}

/** The size of the bytes with the member. */
export function splicedLength(bytes: Uint8Array, point: SplicePoint, revision: number): number {
  return (
    bytes.length + point.before.length + bareMember.length + String(revision).length + point.after.length
  );
}

/**
 * Writes the bytes with the member into a larger buffer, and returns the offset after them. It copies all bytes to
 * the position of their end, then the start before the member: two copies, no slices.
 */
export function writeSpliced(
  bytes: Uint8Array,
  { point, revision, target, at }: { point: SplicePoint; revision: number; target: Buffer; at: number },
): number {
  const member = memberText(point, revision);
  target.set(bytes, at + member.length);
  Buffer.prototype.copy.call(bytes, target, at, 0, point.at);
  target.write(member, at + point.at, 'latin1');
  return at + bytes.length + member.length;
}

const bareMember = '"resourceVersion":""';

function memberText({ before, after }: SplicePoint, revision: number): string {
  return `${before}"resourceVersion":"${revision}"${after}`;
}

/** The offset of a member's value in the object whose first key starts at `at`. */
function findMember(bytes: Uint8Array, start: number, key: Uint8Array): number | undefined {
  let at = start;
  while (bytes[at] === quote) {
    const end = skipString(bytes, at);
    if (end - at === key.length && compareKey(bytes, at, key) === 0) return end + 1;
    at = skipValue(bytes, end + 1);
    if (bytes[at] !== comma) return undefined;
    at += 1;
  }
  return undefined;
}

function skipMember(bytes: Uint8Array, at: number): number {
  return skipValue(bytes, skipString(bytes, at) + 1);
}

/** Compares the quoted key at an offset with another one, bytewise. */
function compareKey(bytes: Uint8Array, at: number, key: Uint8Array): number {
  for (let index = 0; index < key.length; index += 1) {
    const difference = (bytes[at + index] ?? 0) - (key[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
