import { encodeCborEvent, encodeJson } from '../../codec/index.ts';
import {
  type Clock,
  formatGroupVersion,
  type JsonObject,
  type KubeObject,
  limits,
  type Slices,
  type Status,
  type Timers,
} from '../../meta/index.ts';
import type { ObjectWatch, ResponseObject, Target, WatchNotice } from '../../registry/index.ts';
import type { HttpResponse } from '../message.ts';
import { cborSequence, mediaTypeNames, type Representation } from '../negotiate.ts';
import { partialMetadata } from '../partial-metadata.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { Turns } from './turns.ts';
import { type IncludeObject, table, type TableLayout, tableLayout, tableMetadata } from '../table/table.ts';

/** The inputs of a watch response. */
interface WatchResponseOptions {
  readonly target: Target;
  readonly representation: Representation;
  readonly include: IncludeObject;
  readonly allowBookmarks: boolean;
  /** Whether each event is a separate chunk: see `HttpRequest.takesMessages`. */
  readonly asMessages: boolean;
  /** The watch ends cleanly after this time. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Shared by all watches of a server. */
  readonly turns: Turns;
  readonly pieces: SharedPieces;
  /** Decoding a large object yields to other requests. */
  readonly slices: Slices;
}

/** One JSON object per line. */
export function watchResponse(watch: ObjectWatch, options: WatchResponseOptions): HttpResponse {
  return {
    status: options.asMessages ? 101 : 200,
    headers: { 'content-type': contentType(options.representation), 'transfer-encoding': 'chunked' },
    body: { [Symbol.asyncIterator]: () => endable(watch, frames(watch, options)) },
  };
}

function contentType({ mediaType }: Representation): string {
  return mediaType === 'cbor' ? cborSequence : mediaTypeNames.json;
}

/**
 * A generator that awaits its next event cannot be ended by `return`: the source watch is ended, and the generator
 * follows.
 */
function endable(watch: ObjectWatch, source: AsyncGenerator<Uint8Array>): AsyncIterator<Uint8Array> {
  return {
    next: () => source.next(),
    return: () => {
      watch.close();
      return source.return(undefined);
    },
  };
}

/** The time of the last bookmark before the end, so that a client resumes close to it. */
const lastBookmarkMs = 2_000;

/** The frames of a watch. A timer requests bookmarks; an empty batch means a bookmark. */
async function* frames(watch: ObjectWatch, options: WatchResponseOptions): AsyncGenerator<Uint8Array> {
  const decoded: DecodedObjects = new WeakMap();
  const framer = framerFor(options, decoded);
  startTimers(watch, options);
  try {
    for await (const notices of watch) {
      const turn = options.turns.take();
      if (turn !== undefined) await turn;
      if (notices.length > 0) {
        yield* framesOfBatch(notices, framer, { options, decoded });
      } else yield framer({ type: 'BOOKMARK', revision: watch.revision, initialEventsEnd: false });
    }
  } finally {
    watch.close();
  }
}

/** A frame is encoded at once: a large object that must be decoded is decoded before, in time slices. */
function largeOf(notice: WatchNotice): ResponseObject | undefined {
  const large = 'responseObject' in notice && notice.responseObject.length() >= limits.pauseFromBytes;
  return large ? notice.responseObject : undefined;
}

/** The frames of a batch; a large object has a chunk of its own, so that only one is decoded at a time. */
async function* framesOfBatch(
  notices: readonly WatchNotice[],
  framer: Framer,
  { options, decoded }: { readonly options: WatchResponseOptions; readonly decoded: DecodedObjects },
): AsyncGenerator<Uint8Array> {
  const { asMessages, pieces: shared, representation, slices } = options;
  const write = (some: readonly WatchNotice[]) =>
    asMessages ? each(some, framer) : pieces(some, framer, shared);
  const large = representation.transform === undefined ? [] : notices.map(largeOf);
  let from = 0;
  for (const [index, object] of large.entries()) {
    if (object === undefined) continue;
    if (index > from) yield* write(notices.slice(from, index));
    decoded.set(object, await slices.run(object.objectInSteps()));
    yield* write(notices.slice(index, index + 1));
    from = index + 1;
  }
  if (from < notices.length) yield* write(from === 0 ? notices : notices.slice(from));
}

/** Large objects decoded for their frames. */
type DecodedObjects = WeakMap<ResponseObject, KubeObject>;

/** The timers end with the watch: a reader that never returns must not retain the watched objects. */
function startTimers(watch: ObjectWatch, options: WatchResponseOptions): void {
  const { allowBookmarks, timeoutMs, timers } = options;
  const requestBookmark = () => watch.requestBookmark();
  const running = [timers.after(timeoutMs, () => watch.close())];
  if (allowBookmarks) {
    running.push(timers.every(limits.bookmarkIntervalMs, requestBookmark));
    if (timeoutMs > lastBookmarkMs) running.push(timers.after(timeoutMs - lastBookmarkMs, requestBookmark));
  }
  const cancel = () => {
    for (const one of running) one();
  };
  if (watch.end.aborted) cancel();
  else watch.end.addEventListener('abort', cancel, { once: true });
}

/** Large enough for few writes of a busy watch, small enough that a client which does not read holds little. */
const pieceBytesMax = 64 * 1024;

/** Joins the frames of a batch on demand: the rest waits as events, which all watchers share. */
function* pieces(
  notices: readonly WatchNotice[],
  framer: Framer,
  shared: SharedPieces,
): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const notice of notices) {
    const frame = framer(notice);
    if (bytes > 0 && bytes + frame.length > pieceBytesMax) {
      yield shared.join(waiting);
      waiting = [];
      bytes = 0;
    }
    waiting.push(frame);
    bytes += frame.length;
  }
  yield shared.join(waiting);
}

/** Like {@link pieces}, but without joining. */
function* each(notices: readonly WatchNotice[], framer: Framer): Generator<Uint8Array> {
  for (const notice of notices) yield framer(notice);
}

type Framer = (notice: WatchNotice) => Uint8Array;

function framerFor(options: WatchResponseOptions, decoded: DecodedObjects): Framer {
  const { transform, mediaType } = options.representation;
  const write = mediaType === 'cbor' ? encodeCborEvent : frame;
  const objectOf = (object: ResponseObject) => decoded.get(object) ?? object.object();
  if (transform?.as === 'Table') return tableFramer(options, transform.version, { write, objectOf });
  if (transform !== undefined) return metadataFramer(options, transform.version, { write, objectOf });
  return mediaType === 'cbor' ? cborFramer(options.target) : objectFramer(options.target);
}

/** Writes one event. */
type WriteEvent = (type: string, object: JsonObject) => Uint8Array;

/** Unchanged objects in CBOR. */
function cborFramer(target: Target): Framer {
  return (notice) => {
    if (notice.type === 'ERROR') return errorFrame(notice.status, encodeCborEvent);
    const object =
      notice.type === 'BOOKMARK' ? bookmarkObject(notice, target) : notice.responseObject.object();
    return encodeCborEvent(notice.type, object);
  };
}

/** Unchanged objects: encoded once for all watchers of a version. */
function objectFramer(target: Target): Framer {
  const slot = `${target.version.name}/${target.epoch}`;
  return (notice) => {
    if (notice.type === 'ERROR') return errorFrame(notice.status);
    if (notice.type === 'BOOKMARK') return frame('BOOKMARK', bookmarkObject(notice, target));
    const kept = notice.frames.get(slot);
    if (kept !== undefined) return kept;
    const made = Buffer.concat([frameHeads[notice.type], notice.responseObject.bytes(), frameTail]);
    notice.frames.set(slot, made);
    return made;
  };
}

const frameHeads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const frameTail = Buffer.from('}\n');

function frame(type: string, object: JsonObject): Uint8Array {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), encodeJson(object), frameTail]);
}

function errorFrame(status: Status, write: WriteEvent = frame): Uint8Array {
  const text = JSON.stringify(status);
  // A Status has its own key order.
  return write === frame
    ? Buffer.from(`{"type":"ERROR","object":${text}}\n`)
    : write('ERROR', JSON.parse(text));
}

type BookmarkNotice = Extract<WatchNotice, { type: 'BOOKMARK' }>;

function bookmarkMetadata(notice: BookmarkNotice): JsonObject {
  const resourceVersion = String(notice.revision);
  if (!notice.initialEventsEnd) return { resourceVersion };
  return { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion };
}

function bookmarkObject(notice: BookmarkNotice, { type, version }: Target): JsonObject {
  return {
    apiVersion: formatGroupVersion(type.group, version.name),
    kind: type.kind,
    metadata: bookmarkMetadata(notice),
  };
}

/** Converts the events of a watch with another representation. */
interface Framing {
  readonly write: WriteEvent;
  readonly objectOf: (object: ResponseObject) => KubeObject;
}

function metadataFramer(
  { target }: WatchResponseOptions,
  version: string,
  { write, objectOf }: Framing,
): Framer {
  return (notice) => {
    if (notice.type === 'ERROR') return errorFrame(notice.status, write);
    const object =
      notice.type === 'BOOKMARK' ? bookmarkObject(notice, target) : objectOf(notice.responseObject);
    return write(notice.type, partialMetadata(object, version));
  };
}

/** The first event carries the column definitions, the others do not. */
function tableFramer(
  { target, include, clock }: WatchResponseOptions,
  version: string,
  { write, objectOf }: Framing,
): Framer {
  const layout: TableLayout = tableLayout(target.version.printerColumns);
  let columnDefinitions: TableLayout['columnDefinitions'] | null = layout.columnDefinitions;
  return (notice) => {
    if (notice.type === 'ERROR') return errorFrame(notice.status, write);
    const isBookmark = notice.type === 'BOOKMARK';
    const object = isBookmark ? bookmarkObject(notice, target) : objectOf(notice.responseObject);
    const shown = isBookmark && notice.initialEventsEnd ? 'Metadata' : include;
    const row = layout.row(object, { include: shown, version, nowMs: clock.now() });
    const value = table({ version, metadata: tableMetadata(object), columnDefinitions, rows: [row] });
    columnDefinitions = null;
    return write(notice.type, value);
  };
}
