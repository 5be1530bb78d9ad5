import { describe, expect, test } from 'vitest';
import { type JsonObject, limits, systemSlices } from '../../meta/index.ts';
import type { ObjectWatch, ResponseObject, Target, WatchNotice } from '../../registry/index.ts';
import { isStream } from '../message.ts';
import { negotiate, type Offer } from '../negotiate.ts';
import { SharedPieces } from './shared-pieces.ts';
import { Turns } from './turns.ts';
import { watchResponse } from './watch-response.ts';

const size = {
  name: 'Size',
  type: 'integer',
  format: '',
  description: 'd',
  priority: 0,
  jsonPath: '.spec.size',
};
// Only these fields of the target are read.
const target = {
  type: { group: 'example.com', kind: 'Widget' },
  version: { name: 'v1', printerColumns: [size] },
  epoch: 1,
} as unknown as Target;
const offer: Offer = {
  mediaTypes: ['json', 'cbor'],
  transforms: ['Table', 'PartialObjectMetadata'],
  stream: true,
};

const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', resourceVersion: '7' },
  spec: { size: 3 },
};
/** A notice of the widget that counts its encodings. */
function noticeOf(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: JsonObject = widget) {
  const encoded = { count: 0, decodedInSteps: 0 };
  const one: Pick<ResponseObject, 'bytes' | 'length' | 'object' | 'objectInSteps'> = {
    object: () => object,
    length: () => JSON.stringify(object).length,
    *objectInSteps() {
      yield;
      encoded.decodedInSteps += 1;
      return object;
    },
    bytes: () => {
      encoded.count += 1;
      return Buffer.from(JSON.stringify(object));
    },
  };
  const notice: WatchNotice = { type, responseObject: one as ResponseObject, frames: new Map() };
  return { notice, encoded };
}
const bookmark = (initialEventsEnd: boolean): WatchNotice => ({
  type: 'BOOKMARK',
  revision: 9,
  initialEventsEnd,
});
const gone: WatchNotice = {
  type: 'ERROR',
  status: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old',
    reason: 'Expired',
    code: 410,
  },
};

interface Asked {
  readonly accept?: string;
  readonly allowBookmarks?: boolean;
  readonly timeoutMs?: number;
}

/** A watch of these batches, its timers, and whether it was closed. */
function open(
  batches: readonly (readonly WatchNotice[])[],
  { accept = '', allowBookmarks = true, timeoutMs = 600_000 }: Asked = {},
) {
  const seen = { closed: false, bookmarks: 0 };
  const timers: { readonly ms: number; readonly repeats: boolean; readonly call: () => void; on: boolean }[] =
    [];
  const set = (repeats: boolean) => (ms: number, call: () => void) => {
    const timer = { ms, repeats, call, on: true };
    timers.push(timer);
    return () => void (timer.on = false);
  };
  const end = new AbortController();
  const watch: ObjectWatch = {
    revision: 5,
    end: end.signal,
    plan: () => '',
    requestBookmark: () => void (seen.bookmarks += 1),
    close: () => {
      seen.closed = true;
      end.abort();
    },
    async *[Symbol.asyncIterator]() {
      yield* batches;
    },
  };
  const response = watchResponse(watch, {
    target,
    representation: negotiate(accept, offer),
    include: 'Metadata',
    asMessages: false,
    allowBookmarks,
    timeoutMs,
    clock: { now: () => 0 },
    timers: { after: set(false), every: set(true) },
    turns: new Turns(),
    pieces: new SharedPieces(),
    slices: systemSlices(),
  });
  return { response, timers, seen };
}

async function framesOf(batches: readonly (readonly WatchNotice[])[], asked: Asked = {}): Promise<string[]> {
  const { response } = open(batches, asked);
  const frames: string[] = [];
  if (isStream(response.body))
    for await (const piece of response.body) frames.push(Buffer.from(piece).toString());
  return frames;
}

const json = JSON.stringify(widget);

describe('unchanged events', () => {
  test('one line each, a batch at once', async () => {
    const batch = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => noticeOf(type).notice);
    expect(await framesOf([batch])).toEqual([
      `{"type":"ADDED","object":${json}}\n{"type":"MODIFIED","object":${json}}\n{"type":"DELETED","object":${json}}\n`,
    ]);
  });

  test('encoded once for all watchers', async () => {
    const { notice, encoded } = noticeOf('ADDED');
    const [first, second] = [await framesOf([[notice]]), await framesOf([[notice]])];
    expect(second).toEqual(first);
    expect(encoded.count).toBe(1);
  });

  test('large batches are sent in chunks of 64 KiB', async () => {
    const large = { ...widget, spec: { text: 'x'.repeat(30_000) } };
    const batch = [1, 2, 3].map(() => noticeOf('ADDED', large).notice);
    const pieces = await framesOf([batch]);
    expect(pieces.map((piece) => piece.split('\n').length - 1)).toEqual([2, 1]);
  });

  test('bookmarks and errors', async () => {
    expect(await framesOf([[bookmark(false)], [bookmark(true)], [], [gone]])).toEqual([
      '{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"resourceVersion":"9"}}}\n',
      '{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"9"}}}\n',
      '{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"resourceVersion":"5"}}}\n',
      `{"type":"ERROR","object":${JSON.stringify('status' in gone ? gone.status : {})}}\n`,
    ]);
  });
});

const as = (name: string) => `application/json;as=${name};v=v1;g=meta.k8s.io`;

test('as metadata', async () => {
  const [frame = ''] = await framesOf([[noticeOf('ADDED').notice]], { accept: as('PartialObjectMetadata') });
  expect(JSON.parse(frame)).toEqual({
    type: 'ADDED',
    object: { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: widget.metadata },
  });
});

test('as tables; the first has the columns', async () => {
  const batches = [[noticeOf('ADDED').notice], [noticeOf('MODIFIED').notice]];
  const frames = (await framesOf(batches, { accept: as('Table') })).map((frame) => JSON.parse(frame).object);
  expect(
    frames.map(
      ({ columnDefinitions }) => columnDefinitions?.map(({ name }: { name: string }) => name) ?? null,
    ),
  ).toEqual([['Name', 'Size'], null]);
  expect(frames[0]).toMatchObject({
    kind: 'Table',
    metadata: { resourceVersion: '7' },
    rows: [{ cells: ['a', 3], object: { kind: 'PartialObjectMetadata', metadata: widget.metadata } }],
  });
});

describe('the timers of a watch', () => {
  const set = (asked: Asked) => {
    const { response, timers, seen } = open([], asked);
    if (isStream(response.body)) void response.body[Symbol.asyncIterator]().next();
    return { timers, seen };
  };

  test('request bookmarks, and one shortly before the end', () => {
    const { timers } = set({ timeoutMs: 600_000 });
    expect(timers.map(({ ms, repeats }) => [ms, repeats])).toEqual([
      [600_000, false],
      [60_000, true],
      [598_000, false],
    ]);
  });

  test('request none if the client wants none or the end is near', () => {
    expect(set({ allowBookmarks: false }).timers).toHaveLength(1);
    expect(set({ timeoutMs: 2_000 }).timers.map(({ ms }) => ms)).toEqual([2_000, 60_000]);
  });

  test('end the watch, and are cleared with it', () => {
    const { timers, seen } = set({});
    timers[0]?.call();
    expect(seen.closed).toBe(true);
    expect(timers.map(({ on }) => on)).toEqual([false, false, false]);
  });
});

test('a large object is decoded in steps for its Table, and its event is a chunk of its own', async () => {
  const large = noticeOf('MODIFIED', {
    ...widget,
    spec: { size: 5, text: 'x'.repeat(limits.pauseFromBytes) },
  });
  const [before, after] = [noticeOf('ADDED'), noticeOf('DELETED')];
  const batch = [before.notice, large.notice, after.notice];
  const frames = await framesOf([batch], { accept: as('Table') });
  const rows = frames.map((frame) => JSON.parse(frame).object.rows[0].cells);
  expect(rows).toEqual([
    ['a', 3],
    ['a', 5],
    ['a', 3],
  ]);
  expect([before, large, after].map(({ encoded }) => encoded.decodedInSteps)).toEqual([0, 1, 0]);
});
