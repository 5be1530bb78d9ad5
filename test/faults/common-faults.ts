import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/storage/index.ts';
import type { followChanges } from './follow-changes.ts';
import type { Change } from './history.ts';
import type { Replica } from './replica.ts';
import { changesIn, type FaultRun } from './run.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** What happens to the databases of several servers, whichever they are. */
type Fault = FaultRun['fault'];

/** A database process. */
interface DatabaseProcess {
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** Kills the database and starts it again. */
export function databaseRestarts(database: DatabaseProcess, rounds: number): Fault {
  return async ({ wrote }) => {
    for (let round = 0; round < rounds; round++) {
      await wrote(30);
      await database.kill();
      await sleep(200);
      await database.restart();
    }
    await wrote(30);
  };
}

/**
 * Cuts the network of a server, slows it down, and holds all data back.
 *
 * @param between waits or does further harm while the network is whole
 */
export function badNetwork(link: TcpProxy, rounds: number, between: () => Promise<unknown>): Fault {
  return async ({ wrote }) => {
    for (let round = 0; round < rounds; round++) {
      await wrote(15);
      link.cut();
      await sleep(300);
      link.slow(30);
      await sleep(500);
      link.slow(0);
      link.hold();
      await sleep(500);
      link.release();
      await between();
      link.hold();
      await sleep(300);
      link.cut();
      link.release();
    }
    await wrote(15);
  };
}

/**
 * Compacts the database while a server cannot reach it.
 *
 * @param wasNoticed a slow machine may write nothing while the link is held: then another round follows, up to twelve
 */
export function compactionBehind(
  link: TcpProxy,
  live: ReturnType<typeof followChanges>,
  { rounds, wasNoticed }: { readonly rounds: number; readonly wasNoticed: () => boolean },
): Fault {
  return async () => {
    for (let round = 0; round < rounds || (round < 12 && !wasNoticed()); round++) {
      await sleep(300);
      link.hold();
      await sleep(500);
      await live.compact();
      link.cut();
      link.release();
    }
    await sleep(500);
  };
}

/** Kills one server and then the other, and starts it again. */
export function serverKills(a: Replica, b: Replica, rounds: number): Fault {
  return async ({ wrote }) => {
    for (let round = 0; round < rounds; round++) {
      const victim = round % 2 === 0 ? b : a;
      await wrote(20);
      await victim.end('SIGKILL');
      await sleep(300);
      await victim.start();
    }
    await wrote(20);
  };
}

/** All changes, read from the database itself. */
export async function changesOf(opening: Promise<Store>, after: number): Promise<readonly Change[]> {
  const store = await opening;
  try {
    return await changesIn(store, after);
  } finally {
    await store.close();
  }
}
