import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { startServer } from '../../src/server.ts';

/** What the process says of itself, after its garbage is collected. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** The file with a heap snapshot, where one was asked for. */
  readonly snapshot?: string;
}

/** A server alone in its process, which tells on request how much it holds. */
async function serve(snapshots: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-soak-'));
  const server = await startServer({
    storage: { kind: 'sqlite', dataDir },
    listen: { host: '127.0.0.1', port: 0, tls: true },
    onTrouble: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
  });
  process.send?.({ kubeconfig: server.kubeconfigPath });
  await new Promise<void>((resolve) => {
    process.on('message', (asked: { readonly end?: true; readonly snapshot?: string }) => {
      if (asked.end === true) return resolve();
      process.send?.(measure(asked.snapshot === undefined ? undefined : join(snapshots, asked.snapshot)));
    });
    process.on('disconnect', resolve);
  });
  await server.close();
  rmSync(dataDir, { recursive: true });
}

function measure(file: string | undefined): Memory {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    rss,
    heapUsed,
    external,
    arrayBuffers,
    ...(file === undefined ? {} : { snapshot: writeSnapshot(file) }),
  };
}

/**
 * A snapshot says of each function in which line it stands. V8 counts the lines of a script again for each of them, which
 * takes minutes for a bundle of megabytes, unless it has counted them for the stack of an error.
 */
function writeSnapshot(file: string): string {
  void new Error('counts the lines of this script').stack;
  return writeHeapSnapshot(file);
}

await serve(process.argv[2] ?? tmpdir());
process.exit();
