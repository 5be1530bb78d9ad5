import type { Outcome } from '../load-generator.ts';
import { cpuUs } from '../process-use.ts';
import type { PeerServer } from '../contenders.ts';
import type { Figures } from '../row.ts';

/** Figures of a job: requests a second, and what one of them took. */
export async function useOf(
  server: PeerServer,
  job: () => Promise<Outcome>,
  { events = false } = {},
): Promise<Figures> {
  const { pid, etcdPid } = server;
  const before = [cpuUs(pid), etcdPid === undefined ? 0 : cpuUs(etcdPid)] as const;
  const outcome = await job();
  const count = events ? outcome.events : outcome.requests;
  return {
    value: count / (outcome.wallMs / 1_000),
    p50Us: outcome.p50Us,
    p99Us: outcome.p99Us,
    cpuUs: (cpuUs(pid) - before[0]) / count,
    ...(etcdPid !== undefined && { etcdCpuUs: (cpuUs(etcdPid) - before[1]) / count }),
  };
}

/** The same with the time of a request as its value, in milliseconds. */
export async function timeOf(server: PeerServer, job: () => Promise<Outcome>): Promise<Figures> {
  const figures = await useOf(server, job);
  return { ...figures, value: (figures.p50Us ?? 0) / 1_000 };
}
