import { encodeJson } from '../codec/index.ts';
import type { FeatureGates, JsonObject } from '../meta/index.ts';
import { checkObjects } from './check-objects.ts';
import type { PlaygroundTask } from './playground-task.ts';
import { runCase } from './run-case.ts';

/** Does a task; the result is JSON. */
export async function encodedResult(
  task: PlaygroundTask,
  gates: FeatureGates | undefined,
): Promise<Uint8Array> {
  const result =
    'write' in task
      ? { kind: 'PlaygroundResult', apiVersion: 'ilk/v1', ...(await runCase(task.write, gates)) }
      : { kind: 'ObjectsResult', apiVersion: 'ilk/v1', ...(await checkObjects(task.objects, gates)) };
  // Read from JSON, or numbers and texts.
  return encodeJson(result as unknown as JsonObject);
}
