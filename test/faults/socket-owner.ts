import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether a process has the socket that is bound to a local port; false where that cannot be told. Linux shows in /proc
 * which socket has which port, and which process has which socket.
 */
export function ownsPort(pid: number, port: number): boolean {
  try {
    const inode = socketAt(port);
    if (inode === undefined) return false;
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return '';
  }
}

function socketAt(port: number): string | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  // Columns: number, local address, remote address, state (01 is established), ..., inode as the tenth.
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return columns.find(([, address, , state]) => address?.endsWith(local) && state === '01')?.[9];
}
