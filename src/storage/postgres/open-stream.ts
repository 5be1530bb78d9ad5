import type { StreamOptions } from '../remote/remote-log.ts';
import { ChangeReader, type ChangeReaderParts } from './change-reader.ts';
import { ChangeStream } from './change-stream.ts';
import type { Connection, Connections } from './connections.ts';
import type { PostgresTiming } from './options.ts';
import { judge, storeErrorOf } from './postgres-error.ts';
import { literal, type Tables } from './tables.ts';

export interface StreamParts extends Omit<ChangeReaderParts, 'run'> {
  readonly connections: Connections;
  readonly timing: PostgresTiming;
  readonly tables: Tables;
}

/** A stream of the changes of a range, read through the pool on each request for progress. */
export function openRangeStream(parts: StreamParts, { range, after, signal }: StreamOptions): ChangeStream {
  const run: ChangeReaderParts['run'] = (statement) => parts.connections.read(statement, signal);
  const reader = new ChangeReader({ ...parts, run }, range, after);
  return new ChangeStream({ reader, signal, pollMs: undefined, onEnd: () => {} });
}

/**
 * The stream of all changes on a connection of its own, with notifications. If notifications do not
 * arrive, as behind a pooler, changes are polled.
 *
 * @throws {StoreError}
 */
export async function openFeed(parts: StreamParts, { after, signal }: StreamOptions): Promise<ChangeStream> {
  const { timing } = parts;
  const connection = await parts.connections.dedicated();
  try {
    const isNotified = await listen(connection, parts);
    if (isNotified) await connection.query({ text: plannedOnce, values: [] }, timing.callMsMax);
    const run: ChangeReaderParts['run'] = async (statement) => {
      try {
        const asked = isNotified ? { ...statement, name: 'changes' } : statement;
        return await connection.query(asked, timing.callMsMax);
      } catch (error) {
        const verdict = judge(error);
        throw storeErrorOf(error, verdict.kind === 'final' ? verdict.code : 'unavailable');
      }
    };
    const reader = new ChangeReader({ ...parts, run }, undefined, after);
    const pollMs = isNotified ? undefined : timing.pollMs;
    const stream = new ChangeStream({ reader, signal, pollMs, onEnd: () => connection.close() });
    connection.client.on('notification', () => stream.requestProgress());
    const broken = (error?: Error) =>
      stream.fail(storeErrorOf(error ?? new Error('the connection ended'), 'unavailable'));
    connection.client.on('error', broken);
    connection.client.on('end', () => broken());
    if (connection.isBroken) broken();
    return stream;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Planning takes several times as long as reading one change, so it is done once for a connection. The plan must be good for
 * tables of any size: it uses indexes, even if the tables are small when it is made. Only for a connection without a
 * pooler, which could give the session to others.
 */
const plannedOnce = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off';

/**
 * Listens, and checks whether the notification of another connection arrives. This connection's own one can arrive also
 * through a pooler, if the same session of PostgreSQL runs both statements.
 */
async function listen(
  connection: Connection,
  { connections, tables, timing }: StreamParts,
): Promise<boolean> {
  const channel = `"${tables.channel.replaceAll('"', '""')}"`;
  await connection.query({ text: `LISTEN ${channel}`, values: [] }, timing.callMsMax);
  const arrived = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timing.notifyMsMax);
    connection.client.once('notification', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  await connections.read({ text: `SELECT pg_notify(${literal(tables.channel)}, '')`, values: [] });
  return arrived;
}
