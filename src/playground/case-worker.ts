import { Worker } from 'node:worker_threads';
import { type FeatureGates, limits, requestTooLargeError, timeoutError } from '../meta/index.ts';
import type { PlaygroundTask } from './playground-task.ts';

/** A message from the worker. */
type Said = { readonly result: Uint8Array } | { readonly error: unknown };

interface CaseParts {
  readonly gates: FeatureGates | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Two levels up, from the source and from the bundle. */
const entry = new URL('../../dist/playground/worker.js', import.meta.url);

/**
 * A worker thread that runs cases, so that a slow case delays no request. The first case starts it; it ends after an
 * idle time, and is terminated if a case takes too long or needs too much memory.
 */
export class CaseWorker {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The case in progress: the thread takes one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The result as JSON.
   *
   * @throws {StatusError} 504 for a case that takes too long, 413 for one that needs too much memory
   */
  run(task: PlaygroundTask, { gates, signal }: CaseParts): Promise<Uint8Array> {
    const running = this.#last.then(() => this.#runNext(task, { gates, signal }));
    this.#last = running.catch(() => {});
    return running;
  }

  async #runNext(task: PlaygroundTask, { gates, signal }: CaseParts): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    if (signal.aborted) throw timeoutError('the client is gone');
    const worker = (this.#worker ??= this.#start());
    try {
      return await answerOf(worker, { task, gates });
    } catch (error) {
      this.#stop();
      throw error;
    } finally {
      this.#idle = setTimeout(() => this.#stop(), limits.playgroundIdleMs);
      this.#idle.unref();
    }
  }

  #start(): Worker {
    const worker = startWorker();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #stop(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function startWorker(): Worker {
  const worker = new Worker(entry, {
    // Flags of the main script, such as --input-type, are refused for a file.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.playgroundMemoryMiBMax },
  });
  // Without a listener, an error after the last response would crash the server.
  worker.on('error', () => {});
  // An idle thread does not keep the process alive.
  worker.unref();
  return worker;
}

function answerOf(worker: Worker, sent: object): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(timeoutError(`the case takes longer than ${limits.playgroundCaseMsMax / 1000} s`));
    }, limits.playgroundCaseMsMax);
    const onMessage = (said: Said) => {
      end();
      if ('result' in said) resolve(said.result);
      else reject(said.error);
    };
    const onError = (error: Error & { readonly code?: string }) => {
      end();
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(isTooLarge ? requestTooLargeError('the case needs more memory than a case may use') : error);
    };
    const end = () => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.postMessage(sent);
  });
}
