import { performance } from 'node:perf_hooks';

/**
 * Tells how long this thread has worked, in milliseconds: its CPU time. Node before 22.19 and 23.9 does not know that; there it is
 * the time in which the event loop was not idle, waits for a core included.
 */
export function threadWorkMs(): () => number {
  const { threadCpuUsage }: Partial<Pick<NodeJS.Process, 'threadCpuUsage'>> = process;
  if (threadCpuUsage === undefined) return () => performance.eventLoopUtilization().active;
  return () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  };
}
