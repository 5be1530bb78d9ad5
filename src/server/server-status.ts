import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { controllerNames } from '../controllers/index.ts';
import { versionInfo } from '../http/index.ts';
import { type Clock, formatTime, type JsonObject } from '../meta/index.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';
import { disabledControllers } from './run-controllers.ts';

/** The parts of `GET /ilk/v1/server` that are known from the start, and the size of the storage. */
export function serverStatus(
  { name, place, shared }: OpenStorage,
  options: ServerOptions,
  clock: Clock,
): () => Promise<JsonObject> {
  const started = formatTime(clock.now());
  const disabled = new Set(disabledControllers(options));
  return async () => {
    const bytes = place === '' ? undefined : await bytesAt(place);
    return {
      version: versionInfo.gitVersion,
      runtime: versionInfo.goVersion,
      started,
      storage: { name, shared, ...(bytes === undefined ? {} : { bytes }) },
      controllers: controllerNames.map((controller) => ({ name: controller, on: !disabled.has(controller) })),
      ...(options.slowRequests && { slowRequestThresholdMs: options.slowRequests.fromMs }),
      audited: options.auditor !== undefined,
      ...(options.threads && { workers: options.threads.count, worker: options.threads.index }),
    };
  };
}

/** The size of a file, or of the files in a folder; undefined for a place that is neither. */
async function bytesAt(place: string): Promise<number | undefined> {
  try {
    const found = await stat(place);
    if (!found.isDirectory()) return found.size;
    const sizes = (await readdir(place, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(place, entry.name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  } catch {
    // The address of a database, or a file that went away meanwhile.
    return undefined;
  }
}
