import { parentPort } from 'node:worker_threads';
import type { FeatureGates } from '../meta/index.ts';
import { encodedResult } from './encoded-result.ts';
import type { PlaygroundCase } from './playground-case.ts';

interface Sent {
  readonly one: PlaygroundCase;
  readonly gates: FeatureGates | undefined;
}

/** The thread of `case-worker.ts`: runs the cases that it receives. */
parentPort?.on('message', ({ one, gates }: Sent) => {
  encodedResult(one, gates).then(
    (result) => parentPort?.postMessage({ result }),
    // A bug, which the server reports.
    (error: unknown) => parentPort?.postMessage({ error }),
  );
});
