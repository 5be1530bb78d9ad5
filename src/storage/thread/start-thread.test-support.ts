import { fileURLToPath } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { build } from 'esbuild';

/** Bundles a program of this folder, as text that {@link startThread} runs. */
export async function bundledProgram(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

interface ThreadData {
  readonly workerData: unknown;
  readonly transferList?: TransferListItem[];
}

/** Runs a program in a thread of its own. */
export const startThread = (program: string, data: ThreadData): Worker =>
  new Worker(program, { ...data, eval: true, execArgv: [] });
