import { once } from 'node:events';
import { createServer, type Server, type AddressInfo } from 'node:net';

/** Several threads cannot serve here. */
class WorkersError extends Error {
  override readonly name = 'WorkersError';
}

/**
 * Refuses several threads where they cannot listen on one port.
 *
 * @throws {WorkersError} with what is needed, and what was found
 */
export async function requireReusePort(workers: number, host: string): Promise<void> {
  const here = `this is Node ${process.versions.node} on ${process.platform}`;
  const need = `--workers ${workers} needs Node 22.12 or later on Linux, where threads can listen on one port`;
  // Older versions ignore the option, so that the second thread would find the port in use.
  if (!hasReusePort(process.versions.node)) throw new WorkersError(`${need}; ${here}`);
  const servers: Server[] = [];
  try {
    const first = await listening(servers, host, 0);
    await listening(servers, host, first);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkersError(`${need}; ${here}: ${why}`, { cause: error });
  } finally {
    for (const server of servers) server.close();
  }
}

/** Whether `net.Server.listen` has the option `reusePort`. Source: Node's documentation of it. */
export function hasReusePort(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 12;
  return major === 23 ? minor >= 1 : major > 23;
}

async function listening(servers: Server[], host: string, port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  server.listen({ host, port, reusePort: true });
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
