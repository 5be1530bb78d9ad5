import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Parts of Node that take milliseconds to load and that a server in a test may not need. */
const names = ['node:child_process', 'node:http2', 'node:https', 'node:worker_threads', 'node:zlib'];

/** Loads parts of Node when one of their exports is first used, not when the importing module runs. */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) =>
      names.includes(path) && kind === 'import-statement' && namespace === 'file'
        ? { path, namespace: 'lazy-builtin' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({ contents: lazy(path) }));
  },
};

function lazy(path) {
  const exports = JSON.stringify(Object.keys(require(path)));
  return `let loaded;
    for (const name of ${exports})
      Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= require('${path}'))[name] });`;
}
