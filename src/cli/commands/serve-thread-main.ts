import { workerData } from 'node:worker_threads';
import { systemTimers } from '../../meta/index.ts';
import { FurtherThread, type ThreadData } from '../../server.ts';
import { makeLog } from '../log.ts';
import { type ServeThreadData, start } from './serve.ts';

/** Serves with the flags of the process, until the first thread closes this one. A failure ends the thread. */
async function serveThread(): Promise<void> {
  // The first thread gives it in this form.
  const { options, openapi, thread }: ServeThreadData & { readonly thread: ThreadData } = workerData;
  const log = makeLog({ format: options.logFormat, verbosity: options.v, worker: thread.index });
  const onTrouble = (error: unknown) =>
    log.error({ err: error }, error instanceof Error ? error.message : String(error));
  const threads = new FurtherThread(thread, { timers: systemTimers, onTrouble });
  const server = await start(options, { crds: [], openapi }, { log, threads });
  await threads.serving(() => server.close());
}

// A rejection ends the thread with its error, which the first thread reports.
void serveThread();
