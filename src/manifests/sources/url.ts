import { limits } from '../../meta/index.ts';
import { LoadError } from '../load-error.ts';
import type { SourceKind } from './source.ts';

const timeoutMs = 30_000;

/** `https://...` */
export const urlSource: SourceKind = {
  matches: (name) => /^https?:\/\//.test(name),
  open: async (name) => [{ file: name, read: () => download(name) }],
};

async function download(url: string): Promise<Uint8Array> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new LoadError(`${url}: ${answer.status} ${answer.statusText}`.trimEnd());
    return await bounded(url, answer);
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(`${url}: ${reason(error)}`);
  }
}

async function bounded(url: string, { body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > limits.sourceBytesMax) throw new LoadError(`${url}: over ${limits.sourceBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The message `fetch failed` has no details; its cause has. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
