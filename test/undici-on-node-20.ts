import threads from 'node:worker_threads';
import zlib from 'node:zlib';

/**
 * `@kubernetes/client-node` 2 brings an undici for Node 22. What that asks for when it is loaded, and Node 20 does not
 * have, is for answers in zstd, which no server here sends, for what is posted between threads, which nothing is, and
 * one function of the language. Imported before the client, this lets the client load on Node 20 too.
 */
function add(module: object, name: string, value: () => unknown): void {
  if (!(name in module)) Object.defineProperty(module, name, { value });
}

add(zlib, 'createZstdDecompress', () => {
  throw new Error('this Node has no zstd');
});
add(threads, 'markAsUncloneable', () => {});
add(Promise, 'withResolvers', () => {
  let resolve: unknown;
  let reject: unknown;
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
});
