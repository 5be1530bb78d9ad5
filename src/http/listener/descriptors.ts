import { readFileSync } from 'node:fs';

/** Descriptors reserved for databases, files, webhooks and etcd. */
const reservedMin = 64;

/** The maximum number of connections: this many, or fewer if the system limits open files. */
export function connectionsFor(connectionsMax: number): number {
  const openFilesMax = openFilesLimit();
  if (openFilesMax === undefined) return connectionsMax;
  return Math.min(connectionsMax, openFilesMax - Math.max(reservedMin, Math.ceil(openFilesMax / 10)));
}

/** The soft limit, which Node raises to the hard one at start; undefined if the system does not tell. */
function openFilesLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
