import type { Writable } from 'node:stream';

/** Resolves when everything written to a stream, including its end, is flushed, or the stream is closed. */
export function drainedOrClosed(stream: Writable): Promise<void> {
  // A closed stream emits nothing more.
  if (stream.closed || stream.destroyed) return Promise.resolve();
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
