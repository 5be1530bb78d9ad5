import { formatGroupVersion, type JsonObject, limits } from '../meta/index.ts';
import type { ListPage, ResponseObject, Target } from '../registry/index.ts';
import { type FiniteBody, PiecedBody } from './body.ts';
import type { ListSource } from './encode-list.ts';
import { PieceBuffer } from './piece-buffer.ts';
import { withoutKind } from './without-kind.ts';

const comma = Buffer.from(',');

/** `metadata` of a list. Custom resources always have `continue`, built-in kinds only if there are more items. */
export function listMetadata(page: ListPage, options: { readonly alwaysContinue: boolean }): JsonObject {
  return {
    ...(page.continue !== '' || options.alwaysContinue ? { continue: page.continue } : {}),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
    resourceVersion: String(page.revision),
  };
}

/** A list as JSON: the items' bytes are copied without parsing, and chunks are created when they are read. */
export function listBody(page: ListPage, { type, version }: Target): FiniteBody {
  const apiVersion = JSON.stringify(formatGroupVersion(type.group, version.name));
  const metadata = JSON.stringify(listMetadata(page, { alwaysContinue: !type.isBuiltIn }));
  const head = Buffer.from(`{"apiVersion":${apiVersion},"items":[`);
  const tail = Buffer.from(`],"kind":${JSON.stringify(type.listKind)},"metadata":${metadata}}\n`);
  // Items of Go's typed lists have no kind; the length without it is only known after removing it.
  const { items } = page;
  const commas = Math.max(0, items.length - 1);
  const byteLength = head.length + items.byteLength + commas + tail.length;
  const make = () => pieces({ head, items: type.isBuiltIn ? typedItems(items) : items, tail }, byteLength);
  if (byteLength <= limits.sendPieceBytesMax) return [...make()];
  return new PiecedBody(type.isBuiltIn ? undefined : byteLength, make);
}

/** A body of items between a head and a tail, separated by commas. */
export function itemsBody(parts: ListParts & { readonly items: readonly Item[] }): FiniteBody {
  const byteLength = lengthOf(parts);
  const make = () => pieces(parts, byteLength);
  return byteLength <= limits.sendPieceBytesMax ? [...make()] : new PiecedBody(byteLength, make);
}

function lengthOf({ head, items, tail }: ListParts & { readonly items: readonly Item[] }): number {
  const commas = Math.max(0, items.length - 1);
  return items.reduce((sum, item) => sum + item.length(), head.length + commas + tail.length);
}

/** {@link itemsBody} for items that are created when they are read, so that their total length is unknown. */
export function streamedItemsBody({ head, items, tail }: ListParts): FiniteBody {
  return new PiecedBody(undefined, () => pieces({ head, items, tail }, Number.POSITIVE_INFINITY));
}

/** The inputs of a list. */
interface ListParts {
  readonly head: Uint8Array;
  readonly items: Iterable<Item>;
  readonly tail: Uint8Array;
}

/** One item of a list. */
export interface Item {
  length(): number;
  writeTo(target: Buffer, at: number): number;
}

/** Chunks of about 64 KiB; a larger item is a chunk of its own. */
function* pieces({ head, items, tail }: ListParts, byteLengthMax: number): Generator<Uint8Array> {
  const buffer = new PieceBuffer(byteLengthMax);
  buffer.add(head);
  let isFirst = true;
  for (const item of items) {
    const full = buffer.reserve(item.length() + 1);
    if (full !== undefined) yield full;
    if (!isFirst) buffer.add(comma);
    buffer.fill((target, at) => item.writeTo(target, at));
    isFirst = false;
  }
  const full = buffer.reserve(tail.length);
  if (full !== undefined) yield full;
  buffer.add(tail);
  yield buffer.take();
}

function* typedItems(items: Iterable<ResponseObject>): Generator<Item> {
  for (const item of items) yield typedItem(withoutKind(item.bytes()));
}

function typedItem(bytes: Uint8Array): Item {
  return {
    length: () => bytes.length,
    writeTo(target, at) {
      target.set(bytes, at);
      return at + bytes.length;
    },
  };
}

/** A list for representations other than JSON bytes. */
export function listSource(page: ListPage, { type, version }: Target): ListSource {
  const apiVersion = formatGroupVersion(type.group, version.name);
  const metadata = listMetadata(page, { alwaysContinue: !type.isBuiltIn });
  return {
    empty: { apiVersion, items: [], kind: type.listKind, metadata },
    field: 'items',
    items: type.isBuiltIn ? typedObjects(page.items) : objects(page.items),
    kind: { group: type.group, version: version.name, kind: type.listKind },
  };
}

function* objects(items: Iterable<ResponseObject>): Generator<JsonObject> {
  for (const item of items) yield item.object();
}
function* typedObjects(items: Iterable<ResponseObject>): Generator<JsonObject> {
  for (const { apiVersion: _, kind: __, ...typed } of objects(items)) yield typed;
}
