import { readFileSync } from 'node:fs';

/** Descriptors that are kept for what else the process opens: databases, files, webhooks, etcd. */
const reservedMin = 64;

/** How many connections the process may hold: so many, or fewer where the system allows it fewer open files. */
export function connectionsFor(connectionsMax: number): number {
  const openFilesMax = openFilesLimit();
  if (openFilesMax === undefined) return connectionsMax;
  return Math.min(connectionsMax, openFilesMax - Math.max(reservedMin, Math.ceil(openFilesMax / 10)));
}

/** The soft limit, which Node has raised to the hard one when it started; undefined where the system does not say. */
function openFilesLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
