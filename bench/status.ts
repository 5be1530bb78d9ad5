import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const rounds = 7;
const updatesPerRound = 500;

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
};
const crd = crdOf('Widget', {
  group: 'bench.example.com',
  versions: [versionOf({ spec: open, status: open }, { subresources })],
});
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
  return updatesPerSecondOf(server, { at: () => at, patch }, first);
}

/** As above, where the updates may go to one object after the other. */
async function updatesPerSecondOf(
  server: IlkServer,
  { at, patch }: { readonly at: (count: number) => string; readonly patch: Contest['patch'] },
  first: number,
): Promise<number> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const started = performance.now();
  for (let update = 0; update < updatesPerRound; update += 1) {
    const body = JSON.stringify(patch(first + update));
    const { status } = await server.fetch(at(first + update), { method: 'PATCH', headers, body });
    if (status !== 200) throw new Error(`status ${status} from ${at(first + update)}`);
  }
  return (updatesPerRound * 1000) / (performance.now() - started);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

interface WideStatus {
  readonly fields: number;
  /** Patched in turn. More than the server keeps decoded have to be decoded each time. */
  readonly objects: number;
}

/** The time of a status patch with a spec of a number of fields, and of decoding the object, in microseconds. */
async function wideStatus({ fields, objects }: WideStatus): Promise<{ patchUs: number; decodeUs: number }> {
  const spec = Object.fromEntries(
    Array.from({ length: fields }, (_, field) => [`field${field}`, `value ${field}`]),
  );
  const named = Array.from({ length: objects }, (_, one) => ({
    ...widget,
    metadata: { name: `one-${one}` },
    spec,
  }));
  await using server = await startServer({ objects: [crd, ...named], listen: false });
  const pathOf = (count: number) => `${path}-${count % objects}`;
  const contest = {
    at: (count: number) => `${pathOf(count)}/status`,
    patch: (count: number) => ({ status: { count } }),
  };
  const [patches, decodes]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const rate = await updatesPerSecondOf(server, contest, 1 + round * updatesPerRound);
    const decodeUs = await decodingUs(server, { pathOf, objects });
    if (round > 0) patches.push(1e6 / rate);
    if (round > 0) decodes.push(decodeUs);
  }
  return { patchUs: median(patches), decodeUs: median(decodes) };
}

/** What decoding an object takes where they come in turn, as in the patches. */
async function decodingUs(
  server: IlkServer,
  { pathOf, objects }: { readonly pathOf: (count: number) => string; readonly objects: number },
): Promise<number> {
  const texts = await Promise.all(
    Array.from({ length: objects }, async (_, one) => (await server.fetch(pathOf(one))).text()),
  );
  const passes = Math.ceil(250 / objects);
  const started = performance.now();
  for (let pass = 0; pass < passes; pass += 1) for (const text of texts) JSON.parse(text);
  return ((performance.now() - started) * 1000) / (passes * objects);
}

const widths: readonly (WideStatus & { readonly name: string })[] = [
  { name: '10 fields in its spec', fields: 10, objects: 1 },
  { name: '1,000 fields in its spec, the same object again', fields: 1_000, objects: 1 },
  { name: '1,000 fields in its spec, 250 objects in turn', fields: 1_000, objects: 250 },
];

/** What a wide spec costs a status patch beyond its decoding. */
async function compareWidths(print: (line: string) => void): Promise<void> {
  print('\n| status patch of an object with | patch | decode | patch without decode, times the first |');
  print('|---|---|---|---|');
  let floor: number | undefined;
  for (const { name, ...width } of widths) {
    const { patchUs, decodeUs } = await wideStatus(width);
    floor ??= patchUs;
    const times = floor === patchUs ? 1 : (patchUs - decodeUs) / floor;
    print(`| ${name} | ${patchUs.toFixed(0)} us | ${decodeUs.toFixed(0)} us | ${times.toFixed(2)} |`);
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
