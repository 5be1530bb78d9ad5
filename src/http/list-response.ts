import { formatGroupVersion, type JsonObject, type JsonValue } from '../meta/index.ts';
import type { ListPage, Rendered, Target } from '../registry/index.ts';
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

/** A list as one buffer of JSON: the items' bytes are copied as they are, nothing is parsed. */
export function listBytes(page: ListPage, { type, version }: Target): Buffer {
  const apiVersion = JSON.stringify(formatGroupVersion(type.group, version.name));
  const metadata = JSON.stringify(listMetadata(page, { alwaysContinue: type.uid !== '' }));
  const head = Buffer.from(`{"apiVersion":${apiVersion},"items":[`);
  const tail = Buffer.from(`],"kind":${JSON.stringify(type.listKind)},"metadata":${metadata}}\n`);
  // Items of Go's typed lists do not say of what kind they are.
  const items = type.uid === '' ? page.items.map(itemOfTypedList) : page.items;
  const commas = Math.max(0, items.length - 1);
  const length = items.reduce((sum, item) => sum + item.length(), head.length + commas + tail.length);
  const whole = Buffer.allocUnsafeSlow(length);
  whole.set(head, 0);
  let at = head.length;
  let first = true;
  for (const item of items) {
    if (!first) whole[at++] = comma;
    at = item.writeTo(whole, at);
    first = false;
  }
  whole.set(tail, at);
  return whole;
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
