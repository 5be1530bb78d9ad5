/** What V8's profiler writes: samples of the stack, as numbers of nodes of a tree. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

/** A function, and the module that it stands in: `src/http/handler.ts`, `node:internal/http2/core`. */
interface Place {
  readonly name: string;
  readonly module: string;
}

/** Where a module belongs; the first that fits. */
const groups: readonly (readonly [string, RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['profiler itself', /^dispatch$/],
  ['TLS', /^node:(_tls|tls|internal\/crypto|internal\/tls)/],
  ['HTTP in Node', /^node:(http|_http|internal\/http)/],
  ['streams, sockets, timers', /^node:/],
  ['codec (JSON, CBOR, protobuf)', /^src\/codec\//],
  ['packages', /^node_modules\//],
];

function groupOf({ module }: Place): string {
  const known = groups.find(([, pattern]) => pattern.test(module));
  if (known !== undefined) return known[0];
  return /^(src\/\w+)/.exec(module)?.[1] ?? 'native code';
}

/** Shares of the time that the process worked, callees not counted: by group, by module, by function. */
export function profileReport(profile: CpuProfile, script: string): string[] {
  const times = [...selfTimes(profile, script)].filter(([{ name }]) => name !== '(idle)');
  const byGroup = shares(times, groupOf, 30);
  const byModule = shares(times, ({ module }) => module, 30);
  const byFunction = shares(times, ({ name, module }) => `${name} ${module}`, 40);
  return ['', ...byGroup, '', ...byModule, '', ...byFunction];
}

type Times = readonly (readonly [Place, number])[];

function shares(times: Times, keyOf: (place: Place) => string, count: number): string[] {
  const total = times.reduce((sum, [, us]) => sum + us, 0);
  const sums = new Map<string, number>();
  for (const [place, us] of times) sums.set(keyOf(place), (sums.get(keyOf(place)) ?? 0) + us);
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, count);
  return sorted.map(([key, us]) => `${((us / total) * 100).toFixed(1).padStart(5)} %  ${key}`);
}

function selfTimes({ nodes, samples, timeDeltas }: CpuProfile, script: string): Map<Place, number> {
  const modules = modulesOf(script);
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame, modules)]));
  const times = new Map<Place, number>();
  for (const [at, id] of samples.entries()) {
    const place = places.get(id);
    if (place !== undefined) times.set(place, (times.get(place) ?? 0) + (timeDeltas[at] ?? 0));
  }
  return times;
}

/** The module of each line of a bundle, where esbuild names it in a comment. */
function modulesOf(script: string): string[] {
  let module = '';
  return script.split('\n').map((line) => {
    module = /^\/\/ ((?:src|node_modules|bench)\/\S+)$/.exec(line)?.[1] ?? module;
    return module;
  });
}

function placeOf({ functionName, url, lineNumber }: ProfileNode['callFrame'], modules: string[]): Place {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url.startsWith('node:')) return { name, module: url };
  return { name, module: url === '' ? name : (modules[lineNumber] ?? url) };
}
