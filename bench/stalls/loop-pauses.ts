import { openSync, readSync } from 'node:fs';
import { Server } from 'node:net';

/**
 * Loaded into the server's process before the server: answers `pauses` over the channel to the parent with how long the
 * event loop stood still at the most since the last question, in milliseconds of time, and of the thread's CPU: on a
 * machine that has other work, the latter is what the server itself is to blame for.
 */
const intervalMs = 1;
const schedstat = openSync('/proc/self/schedstat', 'r');
const text = Buffer.alloc(64);
let longestMs = 0;
let longestCpuMs = 0;
let lastMs = performance.now();
let lastCpuMs = cpuMs();

/** CPU that the main thread has used; the kernel counts nanoseconds. */
function cpuMs(): number {
  const length = readSync(schedstat, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

setInterval(() => {
  const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
  longestMs = Math.max(longestMs, nowMs - lastMs - intervalMs);
  longestCpuMs = Math.max(longestCpuMs, nowCpuMs - lastCpuMs);
  [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
}, intervalMs).unref();

/** Work before the port is open delays no request. */
const { listen } = Server.prototype;
Object.assign(Server.prototype, {
  listen(this: Server, ...args: Parameters<typeof listen>): Server {
    this.once('listening', () => {
      longestMs = 0;
      longestCpuMs = 0;
      [lastMs, lastCpuMs] = [performance.now(), cpuMs()];
    });
    return listen.apply(this, args);
  },
});

process.on('message', (message) => {
  if (message !== 'pauses') return;
  // A pause that ends with this message is noticed in the next turn.
  setTimeout(() => {
    process.send?.({ longestMs, longestCpuMs });
    longestMs = 0;
    longestCpuMs = 0;
  }, 20);
});
process.channel?.unref();
