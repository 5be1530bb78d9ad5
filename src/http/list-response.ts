import { formatGroupVersion, type JsonObject, type JsonValue, limits } from '../meta/index.ts';
import type { ListPage, Rendered, Target } from '../registry/index.ts';
import { PiecedBody } from './body.ts';
import { withoutKind } from './without-kind.ts';

const comma = 0x2c;

/** `metadata` of a list. Custom resources always carry `continue`, built-in kinds only where there is more. */
export function listMetadata(page: ListPage, options: { readonly alwaysContinue: boolean }): JsonObject {
  return {
    ...(page.continue !== '' || options.alwaysContinue ? { continue: page.continue } : {}),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
    resourceVersion: String(page.revision),
  };
}

/** A list as JSON: the items' bytes are copied as they are, nothing is parsed, and pieces are made as they are read. */
export function listBody(page: ListPage, { type, version }: Target): PiecedBody {
  const apiVersion = JSON.stringify(formatGroupVersion(type.group, version.name));
  const metadata = JSON.stringify(listMetadata(page, { alwaysContinue: type.uid !== '' }));
  const head = Buffer.from(`{"apiVersion":${apiVersion},"items":[`);
  const tail = Buffer.from(`],"kind":${JSON.stringify(type.listKind)},"metadata":${metadata}}\n`);
  // Items of Go's typed lists do not say of what kind they are.
  const items = type.uid === '' ? page.items.map(itemOfTypedList) : page.items;
  const commas = Math.max(0, items.length - 1);
  const byteLength = items.reduce((sum, item) => sum + item.length(), head.length + commas + tail.length);
  return new PiecedBody(byteLength, () => pieces({ head, items, tail, byteLength }));
}

interface ListParts {
  readonly head: Uint8Array;
  readonly items: readonly Item[];
  readonly tail: Uint8Array;
  readonly byteLength: number;
}

/** Pieces of about the size that is sent at once; an item that is larger is a piece of its own. */
function* pieces({ head, items, tail, byteLength }: ListParts): Generator<Uint8Array> {
  let unmade = byteLength;
  let piece = Buffer.allocUnsafeSlow(Math.min(unmade, limits.sendPieceBytesMax));
  let at = 0;
  const room = (bytes: number): Uint8Array | undefined => {
    if (at + bytes <= piece.length) return undefined;
    const full = piece.subarray(0, at);
    unmade -= at;
    piece = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(unmade, limits.sendPieceBytesMax)));
    at = 0;
    return full;
  };
  piece.set(head, at);
  at += head.length;
  for (const [index, item] of items.entries()) {
    const full = room(item.length() + 1);
    if (full !== undefined) yield full;
    if (index > 0) piece[at++] = comma;
    at = item.writeTo(piece, at);
  }
  const full = room(tail.length);
  if (full !== undefined) yield full;
  piece.set(tail, at);
  yield piece.subarray(0, at + tail.length);
}

/** What a list is put together from. */
interface Item {
  length(): number;
  writeTo(target: Buffer, at: number): number;
}

function itemOfTypedList(item: Rendered): Item {
  const bytes = withoutKind(item.bytes());
  return {
    length: () => bytes.length,
    writeTo(target, at) {
      target.set(bytes, at);
      return at + bytes.length;
    },
  };
}

/** A list as a value, for the representations that are not bytes of JSON. */
export function listValue(page: ListPage, { type, version }: Target): JsonObject {
  const items: JsonValue[] = page.items.map((item) => {
    const object = item.object();
    if (type.uid !== '') return object;
    const { apiVersion: _, kind: __, ...typed } = object;
    return typed;
  });
  return {
    apiVersion: formatGroupVersion(type.group, version.name),
    items,
    kind: type.listKind,
    metadata: listMetadata(page, { alwaysContinue: type.uid !== '' }),
  };
}
