import { createServer, type Server } from 'node:http';
import { readFlags } from './read-flags.ts';

const defaultClientUrl = 'http://localhost:2379';
const booleans: ReadonlySet<string> = new Set(['unsafe-no-fsync']);

/** A process that replaces etcd. */
interface EtcdStandIn {
  close(): Promise<void>;
}

/**
 * Replaces etcd under a test harness: Ilk needs none. It listens on `--listen-client-urls` and reports that it is
 * healthy; other requests get 404. It stores nothing.
 *
 * @throws the system's error for a port that is in use
 */
export async function startEtcdStandIn(args: readonly string[]): Promise<EtcdStandIn> {
  const flags = readFlags(args, { booleans });
  const urls = (flags.last('listen-client-urls') ?? defaultClientUrl).split(',');
  const servers = await Promise.all(urls.map((url) => listen(new URL(url))));
  return {
    async close() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Identifies it, to tell it from a real etcd. */
export const standInVersion =
  '{"etcdserver":"3.6.0","etcdcluster":"3.6.0","storage":"none: this is Ilk in its place"}';

const answers: ReadonlyMap<string, string> = new Map([
  ['/health', '{"health":"true","reason":""}'],
  ['/readyz', 'ok\n'],
  ['/livez', 'ok\n'],
  ['/version', standInVersion],
]);

function listen({ hostname, port }: URL): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(answer ?? '404 page not found\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
  });
}
