import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../src/server.ts';
import { adminTls, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';

const objects = 100_000;

async function fill(dataDir: string): Promise<number> {
  await using server = await startServer({
    storage: { kind: 'sqlite', dataDir },
    crds: [widgetCrd],
    listen: false,
  });
  const headers = { 'content-type': 'application/json' };
  let bytes = 0;
  let next = 0;
  const worker = async () => {
    while (next < objects) {
      const body = JSON.stringify(widget(`w-${next++}`));
      const response = await server.fetch(widgetsPath, { method: 'POST', headers, body });
      const { byteLength } = await response.arrayBuffer();
      bytes += byteLength;
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  return bytes;
}

function get(port: number, tls: object, path: string): Promise<{ metadata: { continue: string } }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, ...tls }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    })
      .on('error', reject)
      .end();
  });
}

/** What the system says a process has in memory; Linux only. */
function residentBytes(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) * 1024;
}

/** `ilk serve` on 100,000 objects of 1 KB, all of them listed once in pages of 500, a few seconds later. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const json = await fill(dataDir);
  const server = await startIlk(dataDir);
  try {
    const tls = adminTls(dataDir);
    let token = '';
    do {
      const page = await get(server.port, tls, `${widgetsPath}?limit=500&continue=${token}`);
      token = page.metadata.continue;
    } while (token !== '');
    await sleep(5_000);
    const resident = residentBytes(server.child.pid ?? 0);
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    print('| objects | their JSON | whole process | ratio |\n|---|---|---|---|');
    print(`| ${objects} | ${mb(json)} | ${mb(resident)} | ${(resident / json).toFixed(2)} x |`);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
