import type { ListenOptions } from '../../http/index.ts';
import type { ServerThreads } from './server-threads.ts';

/** Whether a server has the work that is done once: objects that every server has, controllers, compaction. */
export function isFirstThread({ threads }: { readonly threads?: ServerThreads }): boolean {
  return threads === undefined || threads.index === 0;
}

/** The share of a thread in a limit of the process. */
export function shareOfThread(max: number, threads = 1): number {
  return Math.ceil(max / threads);
}

/** How a thread listens where several do. */
export function threadShare({
  count,
  ticketKey,
}: ServerThreads): Pick<ListenOptions, 'reusePort' | 'threads' | 'ticketKey'> {
  return { reusePort: true, threads: count, ticketKey };
}
