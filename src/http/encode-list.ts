import { encodeCbor, encodeJson, encodeJsonPretty, encodeProtobufList, encodeYaml } from '../codec/index.ts';
import { type GroupVersionKind, invariant, type JsonObject, type Steps } from '../meta/index.ts';
import type { MediaType } from './negotiate.ts';

/** A list whose items are made as they are written. */
export interface ListSource {
  /** The list without items: `[]` in their place. */
  readonly empty: JsonObject;
  /** Where the items are; there is at least one. */
  readonly field: 'items' | 'rows';
  readonly items: Iterable<JsonObject>;
  readonly kind: GroupVersionKind;
}

/**
 * A list in any format, in steps of one item. The bytes are those of the whole value, encoded at once.
 *
 * @throws {DecodeError} for what has no protobuf form
 */
export function encodeList(
  source: ListSource,
  { mediaType, pretty }: { readonly mediaType: MediaType; readonly pretty: boolean },
): Steps<Uint8Array[]> {
  if (mediaType === 'protobuf') return encodeProtobufList(source.empty, source.items, source.kind);
  if (mediaType === 'cbor') return encodeWhole(source);
  return encodeText(source, mediaType === 'yaml' ? yaml : pretty ? prettyJson : json);
}

/** CBOR has the keys of a list in another order than they are made in. */
function* encodeWhole({ empty, field, items }: ListSource): Steps<Uint8Array[]> {
  const made: JsonObject[] = [];
  for (const item of items) {
    made.push(item);
    yield;
  }
  return [encodeCbor({ ...empty, [field]: made })];
}

/** How a text format writes a list. */
interface TextFormat {
  encode(value: JsonObject): Buffer;
  /** The field without items, as `encode` writes it; no text in the value can look like that. */
  emptyField(field: string): string;
  readonly open: (field: string) => string;
  /** One item, and what stands before it. */
  item(item: JsonObject, isFirst: boolean): string;
  readonly close: string;
}

const json: TextFormat = {
  encode: (value) => Buffer.concat([encodeJson(value), Buffer.from('\n')]),
  emptyField: (field) => `"${field}":[]`,
  open: (field) => `"${field}":[`,
  item: (item, isFirst) => `${isFirst ? '' : ','}${encodeJson(item).toString()}`,
  close: ']',
};

const prettyJson: TextFormat = {
  encode: encodeJsonPretty,
  emptyField: (field) => `"${field}": []`,
  open: (field) => `"${field}": [`,
  item: (item, isFirst) => {
    const text = encodeJsonPretty(item).toString().trimEnd();
    return `${isFirst ? '' : ','}\n    ${text.replaceAll('\n', '\n    ')}`;
  },
  close: '\n  ]',
};

const yaml: TextFormat = {
  encode: encodeYaml,
  emptyField: (field) => `\n${field}: []\n`,
  open: (field) => `\n${field}:\n`,
  item: (item) => encodeYaml([item]).toString(),
  close: '',
};

function* encodeText({ empty, field, items }: ListSource, format: TextFormat): Steps<Uint8Array[]> {
  const [head, tail, ...rest] = format.encode(empty).toString().split(format.emptyField(field));
  invariant(head !== undefined && tail !== undefined && rest.length === 0, 'a list has one place for items');
  const pieces = [Buffer.from(head + format.open(field))];
  let isFirst = true;
  for (const item of items) {
    pieces.push(Buffer.from(format.item(item, isFirst)));
    isFirst = false;
    yield;
  }
  pieces.push(Buffer.from(format.close + tail));
  return pieces;
}
