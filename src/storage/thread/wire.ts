import type { Batch, BatchReader, BatchWriter } from './batch.ts';
import { ownBytes } from '../own-bytes.ts';
import {
  type Commit,
  type Precondition,
  type StoredRecord,
  StoreError,
  type StoreErrorCode,
  type StoreEvent,
  type WatchMessage,
} from '../store.ts';

/** What a worker sends. Each is followed by the number of its call or stream, then by its arguments. */
export const request = Object.freeze({
  get: 0,
  list: 1,
  commit: 2,
  compact: 3,
  compactRevision: 4,
  health: 5,
  /** Opens a stream of changes. */
  open: 6,
  /** Says how many events and bytes of a stream were taken. */
  taken: 7,
  progress: 8,
  cancelStream: 9,
  abortCall: 10,
});

/** What the owner sends. Each is followed by the number of the call or stream. */
export const reply = Object.freeze({
  done: 0,
  failed: 1,
  /** Events of a stream: the next batch of the message. */
  events: 2,
  /** The end of a stream, followed by its error. */
  ended: 3,
  /** The store or the share was closed. Nothing follows. */
  closed: 4,
});

/** What is posted: the calls or replies of one turn, then the batches of events that they refer to. */
export type PortMessage = readonly [Batch, ...Batch[]];

/** Values up to this size stay in the buffer of their page: a reader that keeps one keeps a page of small ones. */
const sharedBytesMax = 8 * 1024;

export function writeCommit(batch: BatchWriter, { key, value, expect, preconditions = [] }: Commit): void {
  batch.add(key, expect, preconditions.length);
  for (const { key: guarded, modRevision } of preconditions) batch.add(guarded, modRevision);
  batch.addValue(value);
}

export function readCommit(batch: BatchReader): Commit {
  const key = batch.text();
  const expect = batch.number();
  const preconditions: Precondition[] = [];
  for (let left = batch.number(); left > 0; left--)
    preconditions.push({ key: batch.text(), modRevision: batch.number() });
  const value = batch.value();
  return preconditions.length === 0 ? { key, value, expect } : { key, value, expect, preconditions };
}

export function writeRecord(batch: BatchWriter, record: StoredRecord | undefined): void {
  if (record === undefined) {
    batch.add(null);
    return;
  }
  batch.add(record.modRevision, record.key);
  batch.addValue(record.value);
}

/** A record whose value has a buffer of its own. */
export function readRecord(batch: BatchReader): StoredRecord | undefined {
  const record = readSharedRecord(batch);
  return record && { ...record, value: ownBytes(record.value) };
}

/** A record of a page: large values get a buffer of their own, small ones share the page's. */
export function readPageRecord(batch: BatchReader): StoredRecord {
  const record = readSharedRecord(batch);
  if (record === undefined) throw new Error('a page between threads lacks a record');
  if (record.value.byteLength <= sharedBytesMax) return record;
  return { ...record, value: ownBytes(record.value) };
}

function readSharedRecord(batch: BatchReader): StoredRecord | undefined {
  const modRevision = batch.optionalNumber();
  if (modRevision === undefined) return undefined;
  const key = batch.text();
  return { key, value: batch.value() ?? new Uint8Array(0), modRevision };
}

/** Several messages of one stream as one. */
export function writeMessages(batch: BatchWriter, messages: readonly WatchMessage[]): void {
  batch.add(messages.at(-1)?.revision ?? 0);
  for (const { events } of messages) for (const event of events) writeEvent(batch, event);
}

function writeEvent(batch: BatchWriter, { key, revision, value, previous }: StoreEvent): void {
  batch.add(revision, key, previous?.modRevision ?? null);
  if (previous !== undefined) batch.addValue(previous.value);
  batch.addValue(value);
}

export function readMessage(batch: BatchReader): WatchMessage {
  const revision = batch.number();
  const events: StoreEvent[] = [];
  while (!batch.isAtEnd) events.push(readEvent(batch));
  return { events, revision };
}

/** The new value has a buffer of its own: views keep it. The previous one lives as long as the event. */
function readEvent(batch: BatchReader): StoreEvent {
  const revision = batch.number();
  const key = batch.text();
  const modRevision = batch.optionalNumber();
  const replaced = modRevision === undefined ? null : batch.value();
  const value = batch.value();
  const previous =
    replaced === null || modRevision === undefined ? undefined : { key, value: replaced, modRevision };
  if (value === null) return { type: 'delete', key, revision, value: undefined, previous };
  return { type: 'put', key, revision, value: ownBytes(value), previous };
}

/** An error as fields; those that are no StoreError are bugs, whose message is kept. */
export function writeError(batch: BatchWriter, error: unknown): void {
  if (error instanceof StoreError) batch.add(error.code, error.message, error.revision ?? null);
  else batch.add('', error instanceof Error ? error.message : String(error), null);
}

export function readError(batch: BatchReader): Error {
  const code = batch.text();
  const message = batch.text();
  const revision = batch.optionalNumber();
  if (code === '') return new Error(message);
  // Written by writeError in the same process, from a StoreError.
  const known = code as StoreErrorCode;
  return new StoreError(known, message, revision === undefined ? {} : { revision });
}
