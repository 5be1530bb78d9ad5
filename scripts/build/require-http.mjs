/**
 * An `import` of `node:http` or `node:https` reads every export of theirs, and since Node 22 some of them (WebSocket and its
 * events) load undici when they are read, which takes 70 ms. `require` reads only what is used.
 */
export const requireHttp = {
  name: 'require-http',
  setup(build) {
    build.onResolve({ filter: /^node:https?$/ }, ({ path, kind }) =>
      kind === 'require-call' ? undefined : { path, namespace: 'require-http' },
    );
    build.onLoad({ filter: /.*/, namespace: 'require-http' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      resolveDir: '/',
    }));
  },
};
