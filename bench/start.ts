import { startServer } from '../src/server.ts';

/** `startServer()` in this process until `fetch` gave its first answer: the first time, and once it is warm. */
export async function run(print: (line: string) => void): Promise<void> {
  print('| startServer() to the first 200, after import | time |\n|---|---|');
  const timesMs: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const started = performance.now();
    const server = await startServer();
    const { status } = await server.fetch('/api/v1/namespaces/default');
    if (status !== 200) throw new Error(`status ${status}`);
    timesMs.push(performance.now() - started);
    await server.close();
  }
  const [first = 0, ...later] = timesMs;
  later.sort((a, b) => a - b);
  print(`| first in the process | ${first.toFixed(1)} ms |`);
  print(`| median of the next nine | ${(later[4] ?? 0).toFixed(1)} ms |`);
}
