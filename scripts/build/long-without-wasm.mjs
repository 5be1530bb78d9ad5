import { readFileSync } from 'node:fs';

const start = 'wasm = new WebAssembly.Instance(';

/** `long` compiles a WebAssembly module as it is loaded, for multiplications and divisions, which take its other way without it. */
export const longWithoutWasm = {
  name: 'long-without-wasm',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]long[\\/]index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes(start))
        throw new Error(`${path} has changed: see scripts/build/long-without-wasm.mjs`);
      return { contents: source.replace(start, `if (false) ${start}`) };
    });
  },
};
