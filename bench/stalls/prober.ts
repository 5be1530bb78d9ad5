import { open, readAnswers, requestBytes } from '../http/client.ts';
import { adminTls } from '../http/served.ts';

const intervalMs = 5;

/**
 * A process that asks for `/readyz` every 5 ms. A late answer counts for each of the requests that should have been sent
 * meanwhile: a server that stands still for a second is late for 200 requests, not for one.
 */
const [dataDir = '', port = ''] = process.argv.slice(2);
const socket = await open({ ...adminTls(dataDir), port: Number(port) });
const request = requestBytes('GET', '/readyz');
let latenciesMs: number[] = [];
let sentMs = 0;

function send(): void {
  sentMs = performance.now();
  socket.write(request);
}

readAnswers(socket, () => {
  const tookMs = performance.now() - sentMs;
  for (let late = tookMs; late > 0; late -= intervalMs) latenciesMs.push(late);
  setTimeout(send, Math.max(1, intervalMs - tookMs));
});
process.on('message', (message) => {
  if (message !== 'latencies') return;
  process.send?.(latenciesMs);
  latenciesMs = [];
});
send();
process.send?.('ready');
