import type { EventEmitter } from 'node:events';

/** Resolves when everything written to a stream, its end included, is flushed, or the stream is closed. */
export function drainedOrClosed(stream: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('finish', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('finish', done);
    stream.on('close', done);
  });
}
