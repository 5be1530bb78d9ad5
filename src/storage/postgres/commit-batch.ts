import type { PendingCommit } from '../group-commit.ts';
import type { CommitResult } from '../store.ts';
import type { Row } from './connections.ts';
import { integer } from './row.ts';

const bytesOf = (values: readonly Uint8Array[]): Buffer => Buffer.concat(values);

/** The parameters of the function that commits a batch. */
export function batchParameters(batch: readonly PendingCommit[], stamp: number): unknown[] {
  const keys = batch.map(({ commit }) => Buffer.from(commit.key));
  const contents = batch.map(({ commit }) => commit.value);
  const preconditions = batch.flatMap(({ commit: { preconditions: own = [] } }, index) =>
    own.map(({ key, modRevision }) => ({ of: index + 1, key: Buffer.from(key), modRevision })),
  );
  return [
    bytesOf(keys),
    keys.map(({ byteLength }) => byteLength),
    bytesOf(contents.flatMap((content) => content ?? [])),
    contents.map((content) => content?.byteLength ?? -1),
    batch.map(({ commit }) => commit.expect),
    preconditions.map(({ of }) => of),
    bytesOf(preconditions.map(({ key }) => key)),
    preconditions.map(({ key }) => key.byteLength),
    preconditions.map(({ modRevision }) => modRevision),
    stamp,
  ];
}

/** A row of ok, revision, revision of the current record, its value. */
export function resultOf(row: Row, key: string): CommitResult {
  const revision = integer(row, 1);
  if (row[0] === true) return { ok: true, revision };
  const [modRevision, value] = [integer(row, 2), row[3]];
  const current = modRevision > 0 && value instanceof Uint8Array ? { key, value, modRevision } : undefined;
  return { ok: false, current, revision };
}
