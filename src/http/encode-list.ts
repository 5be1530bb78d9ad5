import { encodeCbor, encodeJson, encodeJsonPretty, encodeProtobufList, encodeYaml } from '../codec/index.ts';
import { type GroupVersionKind, invariant, type JsonObject, type Steps } from '../meta/index.ts';
import type { MediaType } from './negotiate.ts';

/** A list whose items are created while it is written. */
export interface ListSource {
  /** The list with `[]` in place of its items. */
  readonly empty: JsonObject;
  /** The path of the items; there is at least one. */
  readonly field: 'items' | 'rows';
  readonly items: Iterable<JsonObject>;
  readonly kind: GroupVersionKind;
}

/**
 * Encodes a list in any format, one item per step. The bytes equal those of the whole value, encoded at once.
 *
 * @throws {DecodeError} if the value has no protobuf encoding
 */
export function encodeList(
  source: ListSource,
  { mediaType, pretty }: { readonly mediaType: MediaType; readonly pretty: boolean },
): Steps<Uint8Array[]> {
  if (mediaType === 'protobuf') return encodeProtobufList(source.empty, source.items, source.kind);
  if (mediaType === 'cbor') return encodeWhole(source);
  return collected(textPieces(source, textFormat({ mediaType, pretty })));
}

function* collected(pieces: Iterable<Uint8Array>): Steps<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (const piece of pieces) {
    all.push(piece);
    yield;
  }
  return all;
}

/**
 * Formats in which a list can be sent while it is encoded: the others start with the length, or are written backwards.
 */
export function isText({ mediaType }: { readonly mediaType: MediaType }): boolean {
  return mediaType === 'json' || mediaType === 'yaml';
}

/**
 * The chunks of a list in a format of {@link isText}, each created when it is read; the bytes equal those of {@link
 * encodeList}.
 */
export function* listPieces(
  source: ListSource,
  form: { readonly mediaType: MediaType; readonly pretty: boolean },
): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of textPieces(source, textFormat(form))) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < encodedPieceBytesMin) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  yield Buffer.concat(pieces);
}

/** Encoding this much takes some milliseconds; writing it less than a tenth of that. */
const encodedPieceBytesMin = 32 * 1024;

/** CBOR sorts the keys of a list differently. */
function* encodeWhole({ empty, field, items }: ListSource): Steps<Uint8Array[]> {
  const made: JsonObject[] = [];
  for (const item of items) {
    made.push(item);
    yield;
  }
  return [encodeCbor({ ...empty, [field]: made })];
}

/** The syntax of a list in a text format. */
interface TextFormat {
  encode(value: JsonObject): Buffer;
  /** The field without items as `encode` writes it; no string in the value can look like it. */
  emptyField(field: string): string;
  readonly open: (field: string) => string;
  /** One item with its separator. */
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

function textFormat({ mediaType, pretty }: { readonly mediaType: MediaType; readonly pretty: boolean }) {
  return mediaType === 'yaml' ? yaml : pretty ? prettyJson : json;
}

/** The text before the items, the items, and the text after them. */
function* textPieces({ empty, field, items }: ListSource, format: TextFormat): Generator<Uint8Array> {
  const [head, tail, ...rest] = format.encode(empty).toString().split(format.emptyField(field));
  invariant(head !== undefined && tail !== undefined && rest.length === 0, 'a list has one place for items');
  yield Buffer.from(head + format.open(field));
  let isFirst = true;
  for (const item of items) {
    yield Buffer.from(format.item(item, isFirst));
    isFirst = false;
  }
  yield Buffer.from(format.close + tail);
}
