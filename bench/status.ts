import { type IlkServer, startServer } from '../src/server.ts';

const rounds = 7;
const updatesPerRound = 500;

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
        },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
      },
    ],
  },
};
const path = '/apis/bench.example.com/v1/namespaces/default/widgets/one';

/** Spec and status weigh the same, so that the endpoints differ in nothing but what they do. */
const part = { text: 'x'.repeat(400), count: 0 };
const widget = {
  apiVersion: 'bench.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'one' },
  spec: part,
  status: part,
};

/** One endpoint and a change for it that is never the last one again. */
interface Contest {
  readonly name: string;
  readonly at: string;
  readonly patch: (count: number) => unknown;
}

const contests: readonly Contest[] = [
  { name: 'main', at: path, patch: (count) => ({ spec: { count } }) },
  { name: '/status', at: `${path}/status`, patch: (count) => ({ status: { count } }) },
  { name: '/scale', at: `${path}/scale`, patch: (count) => ({ spec: { replicas: count } }) },
];

async function updatesPerSecond(server: IlkServer, { at, patch }: Contest, first: number): Promise<number> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const started = performance.now();
  for (let update = 0; update < updatesPerRound; update += 1) {
    const body = JSON.stringify(patch(first + update));
    const { status } = await server.fetch(at, { method: 'PATCH', headers, body });
    if (status !== 200) throw new Error(`status ${status} from ${at}`);
  }
  return (updatesPerRound * 1000) / (performance.now() - started);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** A status patch of an object whose spec has so many fields, in microseconds, and what decoding that object takes. */
async function wideStatus(fields: number): Promise<{ patchUs: number; decodeUs: number }> {
  const spec = Object.fromEntries(
    Array.from({ length: fields }, (_, field) => [`field${field}`, `value ${field}`]),
  );
  await using server = await startServer({ objects: [crd, { ...widget, spec }], listen: false });
  const [, status] = contests;
  if (status === undefined) throw new Error('no contest');
  const [patches, decodes]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const rate = await updatesPerSecond(server, status, 1 + round * updatesPerRound);
    const text = await (await server.fetch(path)).text();
    const started = performance.now();
    for (let pass = 0; pass < 100; pass += 1) JSON.parse(text);
    if (round > 0) patches.push(1e6 / rate);
    if (round > 0) decodes.push((performance.now() - started) * 10);
  }
  return { patchUs: median(patches), decodeUs: median(decodes) };
}

/** What a wide spec costs a status patch beyond its decoding. */
async function compareWidths(print: (line: string) => void): Promise<void> {
  print('\n| status patch of an object with | patch | decode of the object |\n|---|---|---|');
  for (const fields of [10, 1_000]) {
    const { patchUs, decodeUs } = await wideStatus(fields);
    print(`| ${fields} fields in its spec | ${patchUs.toFixed(0)} us | ${decodeUs.toFixed(0)} us |`);
  }
}

/** Merge patches of one object, one after the other, at each of its endpoints in turn: medians of the rounds. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startServer({ objects: [crd, widget], listen: false });
  const rates = contests.map((): number[] => []);
  let count = 1;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contest] of contests.entries()) {
      const rate = await updatesPerSecond(server, contest, count);
      count += updatesPerRound;
      // The first round warms up.
      if (round > 0) rates[index]?.push(rate);
    }
  }
  const [main = 1] = rates.map(median);
  print('| updates of one object, by endpoint | per second | times main |\n|---|---|---|');
  for (const [index, { name }] of contests.entries()) {
    const rate = median(rates[index] ?? []);
    print(`| ${name} | ${rate.toFixed(0)} | ${(rate / main).toFixed(2)} |`);
  }
  await compareWidths(print);
}
