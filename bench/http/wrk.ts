import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether `wrk` is on the PATH: it takes a tenth of what a client in Node takes from the cores that the servers share. */
export function hasWrk(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v wrk'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface WrkOptions {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
  /** It has no client certificates. */
  readonly token: string;
}

/** GETs a path for some time, the connecting counted; gives how many per second were answered. */
export async function wrk({ port, path, connections, seconds, token }: WrkOptions): Promise<number> {
  const load = ['-t1', `-c${connections}`, `-d${seconds}s`];
  const url = `https://127.0.0.1:${port}${path}`;
  const { stdout } = await run('wrk', [...load, '-H', `authorization: Bearer ${token}`, url]);
  const perSecond = /^Requests\/sec: +([\d.]+)/m.exec(stdout)?.[1];
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(perSecond);
}
