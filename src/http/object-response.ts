import { encodeYamlInSteps, supportsProtobuf } from '../codec/index.ts';
import { type Clock, type JsonObject, limits, type Slices, StatusError } from '../meta/index.ts';
import type { ListPage, ResponseObject, Target } from '../registry/index.ts';
import { PiecedBody } from './body.ts';
import { encodeList, isText, type ListSource, listPieces } from './encode-list.ts';
import { listBody, listMetadata, listSource } from './list-response.ts';
import type { HttpResponse } from './message.ts';
import type { AnswerHold } from './overload/index.ts';
import { mediaTypeNames, type Offer, type Representation, type Transform } from './negotiate.ts';
import { partialMetadata, partialMetadataList } from './partial-metadata.ts';
import { compactResponse, valueResponse } from './responses.ts';
import { type IncludeObject, table, tableLayout, tableMetadata } from './table/table.ts';
import { tableListBody } from './table/table-list.ts';
import type { RowForm, TableRows } from './table/table-rows.ts';

/** The requested form of a response. */
export interface Wanted {
  readonly representation: Representation;
  readonly pretty: boolean;
  readonly include: IncludeObject;
  /** Accounts for the buffered response. */
  readonly hold: AnswerHold | undefined;
}

type Shape = 'object' | 'list' | 'watch';

function watchOffer(cbor: readonly 'cbor'[]): Offer {
  const transforms = ['Table', 'PartialObjectMetadata'] as const;
  return { mediaTypes: ['json', ...cbor], transforms, stream: true, named: ['json', 'protobuf', ...cbor] };
}

function objectOffer(cbor: readonly 'cbor'[], builtIn: boolean): Offer {
  return {
    mediaTypes: builtIn ? ['json', 'yaml', 'protobuf', ...cbor] : ['json', 'yaml', ...cbor],
    // An object cannot be returned as a list of metadata, or the reverse: the check runs when there is something to
    // convert.
    transforms: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
    metadataMediaTypes: ['json', 'yaml', 'protobuf', ...cbor],
    named: ['json', 'yaml', 'protobuf', ...cbor],
  };
}

/** Created once, because every request reads one. */
function offersWith(cbor: readonly 'cbor'[]) {
  return Object.freeze({
    watch: watchOffer(cbor),
    custom: objectOffer(cbor, false),
    builtIn: objectOffer(cbor, true),
  });
}

const offersWithoutCbor = offersWith([]);
const offersWithCbor = offersWith(['cbor']);

/** The offers of a resource's endpoints. Built-in kinds support protobuf, and so does the metadata of every kind. */
export function offerOf({ type }: Target, shape: Shape, { cbor }: { readonly cbor: boolean }): Offer {
  const offers = cbor ? offersWithCbor : offersWithoutCbor;
  if (shape === 'watch') return offers.watch;
  const { group, kind, storageVersion } = type;
  const hasMessage = type.isBuiltIn && supportsProtobuf(group, storageVersion.name, kind);
  return hasMessage ? offers.builtIn : offers.custom;
}

/** @throws {StatusError} 406 with the name of the Go type */
function requireShape(as: Transform, shape: 'object' | 'list', { type }: Target): void {
  const isList = shape === 'list';
  if (as === 'Table' || (as === 'PartialObjectMetadataList') === isList) return;
  const suffix = isList ? 'List' : '';
  const packageName = type.group === '' ? 'core' : type.group.split('.')[0];
  const goType = type.isBuiltIn
    ? `*${packageName}.${type.kind}${suffix}`
    : `*unstructured.Unstructured${suffix}`;
  const what = isList ? 'a list' : 'not a list';
  throw new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${as}, but the requested object is ${what} (${goType})`,
  });
}

/** The inputs of a response with an object. */
interface ObjectResponseOptions {
  readonly target: Target;
  readonly wanted: Wanted;
  readonly clock: Clock;
  readonly slices: Slices;
}

/** One object in the negotiated representation; a promise if that takes long. */
export function objectResponse(
  code: number,
  responseObject: ResponseObject,
  { target, wanted, clock, slices }: ObjectResponseOptions,
): HttpResponse | Promise<HttpResponse> {
  const { representation, pretty } = wanted;
  const { mediaType, transform } = representation;
  const byteLength = responseObject.length();
  if (byteLength >= limits.pauseFromBytes) wanted.hold?.take(byteLength);
  if (transform === undefined) {
    if (mediaType === 'json' && !pretty) return compactResponse(code, responseObject);
    if (mediaType === 'yaml' && byteLength >= limits.pauseFromBytes)
      return largeYamlResponse(code, responseObject, slices);
    return valueResponse(code, responseObject.object(), { mediaType, pretty });
  }
  requireShape(transform.as, 'object', target);
  const object = responseObject.object();
  const value =
    transform.as === 'Table'
      ? objectTable(object, { target, wanted, clock, version: transform.version })
      : partialMetadata(object, transform.version);
  return valueResponse(code, value, { mediaType, pretty });
}

async function largeYamlResponse(
  code: number,
  responseObject: ResponseObject,
  slices: Slices,
): Promise<HttpResponse> {
  const object = await slices.run(responseObject.objectInSteps());
  const pause = slices.pause();
  if (pause !== undefined) await pause;
  const body = await slices.run(encodeYamlInSteps(object));
  return { status: code, headers: { 'content-type': mediaTypeNames.yaml }, body };
}

function objectTable(
  object: JsonObject,
  { target, wanted, clock, version }: Omit<ObjectResponseOptions, 'slices'> & { version: string },
): JsonObject {
  const layout = tableLayout(target.version.printerColumns);
  const row = layout.row(object, { include: wanted.include, version, nowMs: clock.now() });
  return table({
    version,
    metadata: tableMetadata(object),
    columnDefinitions: layout.columnDefinitions,
    rows: [row],
  });
}

/** The inputs of a list response. */
interface ListResponseOptions {
  readonly target: Target;
  readonly wanted: Wanted;
  readonly clock: Clock;
  readonly rows: TableRows;
  readonly slices: Slices;
}

/** A page of objects in the negotiated representation. */
export async function listResponse(page: ListPage, options: ListResponseOptions): Promise<HttpResponse> {
  const { target, wanted, clock, rows, slices } = options;
  const { representation, pretty } = wanted;
  const { mediaType, transform } = representation;
  if (transform === undefined) {
    if (mediaType !== 'json' || pretty) return encodedList(() => listSource(page, target), page, options);
    return { status: 200, headers: { 'content-type': mediaTypeNames.json }, body: listBody(page, target) };
  }
  requireShape(transform.as, 'list', target);
  const { version } = transform;
  if (transform.as !== 'Table') return encodedList(() => partialMetadataList(page, version), page, options);
  const form = { layout: tableLayout(target.version.printerColumns), include: wanted.include, version };
  if (mediaType !== 'json' || pretty) return encodedList(() => listTable(page, form, clock), page, options);
  const metadata = tableListMetadata(page);
  const body = await tableListBody(page.items, { form, rows, metadata, nowMs: clock.now(), slices });
  return { status: 200, headers: { 'content-type': mediaTypeNames.json }, body };
}

function tableListMetadata(page: ListPage): JsonObject {
  return listMetadata(page, { alwaysContinue: false });
}

/** A list that must be encoded: in time slices or, if it is large, while the client reads. */
async function encodedList(
  sourceOf: () => ListSource,
  { items }: ListPage,
  { wanted, slices }: ListResponseOptions,
): Promise<HttpResponse> {
  const { mediaType } = wanted.representation;
  const form = { mediaType, pretty: wanted.pretty };
  if (items.length === 0) return valueResponse(200, sourceOf().empty, form);
  const headers = { 'content-type': mediaTypeNames[mediaType] };
  if (items.byteLength > limits.madeListBytesMax && isText(form))
    return { status: 200, headers, body: new PiecedBody(undefined, () => listPieces(sourceOf(), form)) };
  if (items.byteLength > limits.madeListBytesMax) wanted.hold?.take(items.byteLength);
  return { status: 200, headers, body: await slices.run(encodeList(sourceOf(), form)) };
}

function listTable(page: ListPage, { layout, include, version }: RowForm, clock: Clock): ListSource {
  const { columnDefinitions } = layout;
  const metadata = tableListMetadata(page);
  return {
    empty: table({ version, metadata, columnDefinitions, rows: [] }),
    field: 'rows',
    items: rowsOf(page, { layout, include, version, nowMs: clock.now() }),
    kind: { group: 'meta.k8s.io', version, kind: 'Table' },
  };
}

function* rowsOf(
  { items }: ListPage,
  { layout, ...how }: RowForm & { readonly nowMs: number },
): Generator<JsonObject> {
  for (const item of items) yield layout.row(item.object(), how);
}
