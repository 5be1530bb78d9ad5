import { parentPort } from 'node:worker_threads';
import type { FeatureGates } from '../meta/index.ts';
import { encodedResult } from './encoded-result.ts';
import type { PlaygroundTask } from './playground-task.ts';

interface Sent {
  readonly task: PlaygroundTask;
  readonly gates: FeatureGates | undefined;
}

/** The thread of `case-worker.ts`: does what it is sent. */
parentPort?.on('message', ({ task, gates }: Sent) => {
  encodedResult(task, gates).then(
    (result) => parentPort?.postMessage({ result }),
    // A bug, which the server reports.
    (error: unknown) => parentPort?.postMessage({ error }),
  );
});
