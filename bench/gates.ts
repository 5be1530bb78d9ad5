import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const rounds = 31;
const writesPerRound = 150;
const json = { 'content-type': 'application/json' };

/** Forty gated fields, five in each of eight sections, and as many others beside them. */
const sections = Array.from({ length: 8 }, (_, index) => `section${index}`);
const gated = Array.from({ length: 5 }, (_, index) => `gated${index}`);
const free = Array.from({ length: 5 }, (_, index) => `free${index}`);
const text = { type: 'string', maxLength: 100 };
const section: JsonObject = {
  type: 'object',
  properties: Object.fromEntries([...gated, ...free].map((name) => [name, text])),
};
const paths = sections.flatMap((name) => gated.map((field) => `.spec.${name}.${field}`));
/** Twenty gates of two fields each; every other one is off. */
const featureGates = Array.from({ length: 20 }, (_, index) => ({
  name: `Gate${index}`,
  preRelease: index % 2 === 0 ? 'alpha' : 'beta',
  fieldPaths: paths.slice(index * 2, index * 2 + 2),
}));

interface Kind {
  readonly plural: string;
  readonly kind: string;
  readonly spec: JsonObject;
}
const plain: Kind = { plural: 'plains', kind: 'Plain', spec: {} };
const withGates: Kind = { plural: 'gateds', kind: 'Gated', spec: { customFeatureGates: { featureGates } } };

function crdOfKind({ plural, kind, spec }: Kind): JsonObject {
  const properties = Object.fromEntries(sections.map((name) => [name, section]));
  const versions = [versionOf({ spec: { type: 'object', properties } })];
  return crdOf(kind, { plural, group: 'bench.example.com', versions, spec });
}

const on = new Set(
  featureGates.filter(({ preRelease }) => preRelease === 'beta').flatMap((gate) => gate.fieldPaths),
);

/** The fields that a client sends: those without gates, those whose gate is on, and if told so those whose is off. */
function specOf(value: string, offToo: boolean): JsonObject {
  const field = (name: string) => [name, `${value} of ${name}`] as const;
  return Object.fromEntries(
    sections.map((name) => {
      const sent = gated.filter((one) => offToo || on.has(`.spec.${name}.${one}`));
      return [name, Object.fromEntries([...free, ...sent].map(field))];
    }),
  );
}

const pathOf = ({ plural }: Kind) => `/apis/bench.example.com/v1/namespaces/default/${plural}`;

async function send(server: IlkServer, method: string, path: string, body: JsonObject): Promise<void> {
  const response = await server.fetch(path, { method, headers: json, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

interface Load {
  readonly name: string;
  readonly write: (server: IlkServer, kind: Kind, count: number) => Promise<void>;
}

const objectOf = ({ kind }: Kind, name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'bench.example.com/v1',
  kind,
  metadata: { name },
  spec,
});

const create = (offToo: boolean) => (server: IlkServer, kind: Kind, count: number) =>
  send(server, 'POST', pathOf(kind), objectOf(kind, `o-${offToo}-${count}`, specOf('value', offToo)));

/** Without a resourceVersion in the way: custom resources want one, so each update is a merge patch of the whole spec. */
const update = (offToo: boolean) => async (server: IlkServer, kind: Kind, count: number) => {
  const path = `${pathOf(kind)}/kept`;
  const body = JSON.stringify({ spec: specOf(`value ${count}`, offToo) });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const response = await server.fetch(path, { method: 'PATCH', headers, body });
  if (!response.ok) throw new Error(await response.text());
};

const loads: readonly Load[] = [
  { name: 'create, with fields that are enabled', write: create(false) },
  { name: 'update, of fields that are enabled', write: update(false) },
  { name: 'create, with 20 fields that are dropped', write: create(true) },
  { name: 'update, with 20 fields that are dropped', write: update(true) },
];

async function writesPerSecond(server: IlkServer, load: Load, kind: Kind, round: number): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < writesPerRound; count += 1) {
    await load.write(server, kind, round * writesPerRound + count);
  }
  return (writesPerRound * 1000) / (performance.now() - started);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Writes in process into memory, so that what is compared is what happens between body and store. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startServer({ crds: [crdOfKind(plain), crdOfKind(withGates)], listen: false });
  for (const kind of [plain, withGates]) {
    await send(server, 'POST', pathOf(kind), objectOf(kind, 'kept', {}));
  }
  print('20 gates on 40 fields, half of them off, against the same kind without gates:');
  print('| what | without gates | with gates | ratio |\n|---|---|---|---|');
  for (const load of loads) {
    const [floors, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      // In turns, so that neither is always the one with the fuller store.
      const order = round % 2 === 0 ? [plain, withGates] : [withGates, plain];
      for (const kind of order) {
        (kind === plain ? floors : ours).push(await writesPerSecond(server, load, kind, round));
      }
    }
    // Of neighbours, for other work on the machine comes and goes; the first round warms up.
    const ratios = ours.map((rate, round) => rate / (floors[round] ?? 0)).slice(1);
    const [floor, own] = [median(floors.slice(1)), median(ours.slice(1))];
    print(`| ${load.name} | ${floor.toFixed(0)}/s | ${own.toFixed(0)}/s | ${median(ratios).toFixed(2)} x |`);
  }
}
