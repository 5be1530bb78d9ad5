import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Listens on an address for a moment, before anything is written: if the port is in use, no folder is left behind.
 *
 * @throws {Error} with a hint for a port in use or reserved, and for an address of another machine
 */
export async function checkAddress(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new Error(hintOf(error, host, port), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

function hintOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const other = 'take another one with --secure-port; 0 is any free one';
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use: ${other}`;
  if (code === 'EACCES') return `port ${port} is reserved for root: ${other}`;
  if (code === 'EADDRNOTAVAIL') return `--bind-address ${host}: not an address of this machine`;
  return `--bind-address ${host}, --secure-port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}
