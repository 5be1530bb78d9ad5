import { formatGroupVersion, type JsonObject, type JsonValue, limits } from '../meta/index.ts';
import type { ListPage, RenderedObject, Target } from '../registry/index.ts';
import { type FiniteBody, PiecedBody } from './body.ts';
import { PieceBuffer } from './piece-buffer.ts';
import { withoutKind } from './without-kind.ts';

const comma = Buffer.from(',');

/** `metadata` of a list. Custom resources always carry `continue`, built-in kinds only where there is more. */
export function listMetadata(page: ListPage, options: { readonly alwaysContinue: boolean }): JsonObject {
  return {
    ...(page.continue !== '' || options.alwaysContinue ? { continue: page.continue } : {}),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
    resourceVersion: String(page.revision),
  };
}

/** A list as JSON: the items' bytes are copied as they are, nothing is parsed, and pieces are made as they are read. */
export function listBody(page: ListPage, { type, version }: Target): FiniteBody {
  const apiVersion = JSON.stringify(formatGroupVersion(type.group, version.name));
  const metadata = JSON.stringify(listMetadata(page, { alwaysContinue: !type.isBuiltIn }));
  const head = Buffer.from(`{"apiVersion":${apiVersion},"items":[`);
  const tail = Buffer.from(`],"kind":${JSON.stringify(type.listKind)},"metadata":${metadata}}\n`);
  const commas = Math.max(0, page.items.length - 1);
  const byteLength = page.items.reduce(
    (sum, item) => sum + item.length(),
    head.length + commas + tail.length,
  );
  // Items of Go's typed lists do not say of what kind they are. How long they are without it, only cutting them tells.
  const isTyped = type.isBuiltIn;
  const itemOf = isTyped ? itemOfTypedList : (item: RenderedObject) => item;
  const make = () => pieces({ head, items: page.items, itemOf, tail, byteLength });
  if (byteLength <= limits.sendPieceBytesMax) return [...make()];
  return new PiecedBody(isTyped ? undefined : byteLength, make);
}

interface ListParts {
  readonly head: Uint8Array;
  readonly items: readonly RenderedObject[];
  readonly itemOf: (item: RenderedObject) => Item;
  readonly tail: Uint8Array;
  /** How long the list is at the most. */
  readonly byteLength: number;
}

/** What a list is put together from. */
interface Item {
  length(): number;
  writeTo(target: Buffer, at: number): number;
}

/** Pieces of about the size that is sent at once; an item that is larger is a piece of its own. */
function* pieces({ head, items, itemOf, tail, byteLength }: ListParts): Generator<Uint8Array> {
  const buffer = new PieceBuffer(byteLength);
  buffer.add(head);
  let isFirst = true;
  for (const one of items) {
    const item = itemOf(one);
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

function itemOfTypedList(item: RenderedObject): Item {
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
    if (!type.isBuiltIn) return object;
    const { apiVersion: _, kind: __, ...typed } = object;
    return typed;
  });
  return {
    apiVersion: formatGroupVersion(type.group, version.name),
    items,
    kind: type.listKind,
    metadata: listMetadata(page, { alwaysContinue: !type.isBuiltIn }),
  };
}
