import { join } from 'node:path';
import { EtcdProcess } from '../../src/storage/etcd/etcd-process.test-support.ts';
import type { LoadGenerator } from '../peer/load-generator.ts';
import { SharedServer } from './shared-server.ts';

/** The servers of a run: the quiet user sends requests to one, the other user to the other. */
export interface Servers {
  readonly quiet: SharedServer;
  readonly other: SharedServer;
  stop(): Promise<void>;
}

/** Two servers on one etcd. */
export async function startTwo(folder: string, load: LoadGenerator): Promise<Servers> {
  const etcd = await EtcdProcess.start({ onDisk: true });
  const start = (name: string) => SharedServer.start(join(folder, name), load, '--etcd-servers', etcd.url);
  const [quiet, other] = [await start('quiet'), await start('other')];
  return {
    quiet,
    other,
    async stop() {
      await quiet.served.stop();
      await other.served.stop();
      await etcd[Symbol.asyncDispose]();
    },
  };
}

/** One server for all users. */
export function onlyOne(server: SharedServer): Servers {
  return { quiet: server, other: server, stop: () => server.served.stop() };
}
