import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { load, requestBytes } from '../http/client.ts';
import { adminTls, startProcess, widget, widgetsPath } from '../http/served.ts';
import { type CpuProfile, profileReport } from '../peer/profile.ts';
import { cpuUs } from '../peer/process-use.ts';
import { GroupedInserts, insertRate } from './grouped-inserts.ts';

const inFlight = 64;
const creates = 4_000;

interface ProfileParts {
  readonly postgres: PostgresProcess;
  readonly folder: string;
  readonly flags: readonly string[];
}

type Print = (line: string) => void;

/** Tells the processor time of one create in the server, in the database and in the client, and where the server's goes. */
export async function profileCreates(print: Print, { postgres, folder, flags }: ProfileParts): Promise<void> {
  const script = join(import.meta.dirname, 'peer', 'profiled-ilk.mjs');
  const storage = ['--postgres', postgres.url(), '--postgres-schema', 'profiled'];
  const own = ['--data-dir', join(folder, 'profiled'), '--secure-port', '0'];
  const args = [script, 'serve', ...own, ...storage, ...flags];
  const { port, child, stop } = await startProcess(args, /serving on \S+:(\d+)/);
  const send = (name: string) => {
    const request = (index: number) =>
      requestBytes('POST', widgetsPath, JSON.stringify(widget(`${name}-${index}`)));
    return load({ ...adminTls(folder), port, connections: inFlight, requests: creates, request });
  };
  await send('warm');
  const server = () => cpuUs(child.pid ?? 0);
  await partsOf(print, 'create over TLS', { postgres, application: 'ilk', server, run: () => send('plain') });
  child.send('start');
  await send('profiled');
  const file = join(folder, 'creates.cpuprofile');
  child.send(file);
  await once(child, 'message');
  const profile: CpuProfile = JSON.parse(readFileSync(file, 'utf8'));
  for (const line of profileReport(profile, readFileSync(script, 'utf8'))) print(line);
  await stop();
  await profileInserts(print, postgres);
}

async function profileInserts(print: Print, postgres: PostgresProcess): Promise<void> {
  await postgres.query(
    'CREATE TABLE bare_profiled (id bigserial PRIMARY KEY, key bytea UNIQUE, value bytea)',
  );
  const statement = 'INSERT INTO bare_profiled (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])';
  const url = `${postgres.url()}?application_name=bare`;
  const inserts = await GroupedInserts.open({ url, statement, connections: 2 });
  const run = () => insertRate([inserts], { rows: creates, inFlight, bytes: 600 });
  await run();
  await partsOf(print, 'grouped insert', { postgres, application: 'bare', server: () => 0, run });
  await inserts.close();
}

interface Measured {
  readonly postgres: PostgresProcess;
  /** What the connections to the database are called. */
  readonly application: string;
  /** The processor time of the server so far. */
  readonly server: () => number;
  readonly run: () => Promise<unknown>;
}

async function partsOf(print: Print, what: string, { postgres, application, server, run }: Measured) {
  const activity = `SELECT pid FROM pg_stat_activity WHERE application_name = '${application}'`;
  const backends = (await postgres.query(activity)).map(([pid]) => Number(pid));
  const client = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const database = () => backends.reduce((sum, pid) => sum + cpuUs(pid), 0);
  const taken = () => [performance.now() * 1_000, server(), database(), client()];
  const before = taken();
  await run();
  const after = taken();
  const [wall, ...cpu] = after.map((us, index) => Math.round((us - (before[index] ?? 0)) / creates));
  print(
    `one ${what}: ${wall} us; processor time: server ${cpu[0]} us, database ${cpu[1]} us, client ${cpu[2]} us`,
  );
}
