import type { Job } from '../load-generator.ts';
import { cpuUs } from '../process-use.ts';
import type { Figures, Turn } from '../row.ts';

/** Figures of a job: requests or events a second, and what one of them took. */
export async function useOf({ server, send }: Turn, job: Job): Promise<Figures> {
  const { pid, etcdPid } = server;
  const used = () => ({ own: cpuUs(pid), etcd: etcdPid === undefined ? 0 : cpuUs(etcdPid) });
  const at = { begin: used(), end: used() };
  const outcome = await send(job, (edge) => {
    at[edge] = used();
  });
  const count = job.watchers === undefined ? outcome.requests : outcome.events;
  return {
    value: count / (outcome.wallMs / 1_000),
    p50Us: outcome.p50Us,
    p99Us: outcome.p99Us,
    cpuUs: (at.end.own - at.begin.own) / count,
    ...(etcdPid !== undefined && { etcdCpuUs: (at.end.etcd - at.begin.etcd) / count }),
  };
}

/** The same with the time of a request as its value, in milliseconds. */
export async function timeOf(turn: Turn, job: Job): Promise<Figures> {
  const figures = await useOf(turn, job);
  return { ...figures, value: (figures.p50Us ?? 0) / 1_000 };
}
