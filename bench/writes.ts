import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const rounds = 5;
const writes = 1_500;
const json = { 'content-type': 'application/json' };

interface Kind {
  readonly plural: string;
  readonly kind: string;
  readonly properties: JsonObject;
}

/** Forty sections of seven typed, bounded fields: what a schema of 300 lines and more looks like. */
const sections = Array.from({ length: 40 }, (_, index) => `section${index}`);
const section: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
    size: { type: 'integer', minimum: 0, maximum: 1000, default: 3 },
    mode: { type: 'string', enum: ['a', 'b', 'c'] },
    on: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ports: { type: 'array', items: { type: 'integer' }, maxItems: 10 },
    note: { type: 'string' },
  },
};
const plain: Kind = {
  plural: 'plains',
  kind: 'Plain',
  properties: {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    status: { type: 'object', properties: { count: { type: 'integer' } } },
  },
};
const typed: Kind = {
  plural: 'typeds',
  kind: 'Typed',
  properties: {
    spec: { type: 'object', properties: Object.fromEntries(sections.map((name) => [name, section])) },
  },
};
/** An object of 300 fields: name, size and mode in a hundred sections would be no different. */
const spec = Object.fromEntries(
  sections.slice(0, 8).map((name) => [name, { name: 'a-name', size: 7, mode: 'b', on: true, ports: [1, 2] }]),
);
const wideSpec = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`field${index}`, `value ${index}`]),
);

function crdOfKind({ plural, kind, properties }: Kind): JsonObject {
  const versions = [versionOf(properties, { subresources: { status: {} } })];
  return crdOf(kind, { plural, group: 'bench.example.com', versions });
}

const pathOf = ({ plural }: Kind) => `/apis/bench.example.com/v1/namespaces/default/${plural}`;

async function send(
  server: IlkServer,
  method: string,
  path: string,
  body: object,
  type = 'application/json',
) {
  const headers = { ...json, 'content-type': type };
  const response = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function timedUs(count: number, once: (index: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await once(index);
  return ((performance.now() - started) * 1000) / count;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Pair {
  readonly name: string;
  readonly floor: (round: number) => Promise<number>;
  readonly ours: (round: number) => Promise<number>;
}

async function compare(print: (line: string) => void, { name, floor, ours }: Pair): Promise<void> {
  const [floors, times]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await floor(round));
    times.push(await ours(round));
  }
  const [a, b] = [median(floors), median(times)];
  print(`| ${name} | ${a.toFixed(0)} us | ${b.toFixed(0)} us | ${(b / a).toFixed(2)} x |`);
}

function creates(server: IlkServer, kind: Kind) {
  return (round: number) =>
    timedUs(writes, (index) => {
      const metadata = { name: `o-${round}-${index}` };
      const object = { apiVersion: 'bench.example.com/v1', kind: kind.kind, metadata, spec };
      return send(server, 'POST', pathOf(kind), object);
    });
}

/** Writes in process, without a socket, into memory: what is compared is what happens between body and store. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startServer({ crds: [crdOfKind(plain), crdOfKind(typed)], listen: false });
  print('| what | floor | ours | ratio |\n|---|---|---|---|');
  await compare(print, {
    name: 'create with a schema of 300 lines, against one with none',
    floor: creates(server, plain),
    ours: creates(server, typed),
  });
  await compareApplies(print, server);
}

async function compareApplies(print: (line: string) => void, server: IlkServer): Promise<void> {
  const head = { apiVersion: 'bench.example.com/v1', kind: 'Plain', metadata: { name: 'wide' } };
  const path = `${pathOf(plain)}/wide`;
  const applyPath = `${path}?fieldManager=bench&force=true`;
  const applyType = 'application/apply-patch+yaml';
  await send(server, 'PATCH', applyPath, { ...head, spec: wideSpec }, applyType);
  await compare(print, {
    name: 'apply that changes one field of 300, against the same merge patch',
    floor: (round) =>
      timedUs(300, (index) =>
        send(
          server,
          'PATCH',
          path,
          { spec: { field7: `m-${round}-${index}` } },
          'application/merge-patch+json',
        ),
      ),
    ours: (round) =>
      timedUs(300, (index) =>
        send(
          server,
          'PATCH',
          applyPath,
          { ...head, spec: { ...wideSpec, field7: `a-${round}-${index}` } },
          applyType,
        ),
      ),
  });
  const get = async () => void (await (await server.fetch(path)).json());
  const applied = { ...head, spec: { ...wideSpec, field7: 'settled' } };
  await send(server, 'PATCH', applyPath, applied, applyType);
  // Measures repetition: the same bytes again, as a reconciler sends them.
  await compare(print, {
    name: 'the same apply again, which changes nothing, against a GET and a parse',
    floor: () => timedUs(300, get),
    ours: () => timedUs(300, () => send(server, 'PATCH', applyPath, applied, applyType)),
  });
  // The status of the applied object changes, and the applier applies it again after each change.
  const report = (count: number) =>
    send(server, 'PATCH', `${path}/status`, { status: { count } }, 'application/merge-patch+json');
  await compare(print, {
    name: 'the same apply after another client wrote the status, against the same',
    floor: () => timedUs(300, get),
    ours: async (round) => {
      let spentMs = 0;
      for (let index = 1; index <= 300; index += 1) {
        await report(round * 300 + index);
        const started = performance.now();
        await send(server, 'PATCH', applyPath, applied, applyType);
        spentMs += performance.now() - started;
      }
      return (spentMs * 1000) / 300;
    },
  });
  // And here bytes that the server has not seen before: the order of two fields tells them apart.
  const others = Object.entries(wideSpec);
  const reordered = (round: number, index: number) => {
    const first = others.splice((round * 31 + index * 7) % 299, 1);
    others.push(...first);
    return { ...head, spec: { ...Object.fromEntries(others), field7: 'settled' } };
  };
  await compare(print, {
    name: 'an apply that the server has not seen before and that changes nothing, against the same',
    floor: () => timedUs(300, get),
    ours: (round) =>
      timedUs(300, (index) => send(server, 'PATCH', applyPath, reordered(round, index), applyType)),
  });
}
