import { apply, type MergeType, typeFromStructuralSchema, update } from '../src/apply/index.ts';
import { isObject, type JsonObject, type KubeObject, put } from '../src/meta/index.ts';

/** One line of the table. */
interface ApplyBenchRow {
  readonly name: string;
  readonly microseconds: number;
  /** How often the baseline of its group fits into it. */
  readonly timesBaseline: number;
}

const apiVersion = 'bench.example.com/v1';
const nowMs = Date.UTC(2026, 0, 1);

function flatSchema(fields: number): JsonObject {
  const names = Array.from({ length: fields }, (_, index) => `field${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

function flatObject(fields: number): KubeObject {
  const spec = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field${index}`, `value ${index}`]),
  );
  return { apiVersion, kind: 'Flat', metadata: { name: 'a', namespace: 'default' }, spec };
}

const listSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, image: { type: 'string' }, port: { type: 'integer' } },
          },
        },
      },
    },
  },
};

function listObject(count: number): KubeObject {
  const items = Array.from({ length: count }, (_, index) => ({
    name: `item-${index}`,
    image: `registry.example.com/app:${index}`,
    port: index,
  }));
  return { apiVersion, kind: 'Flat', metadata: { name: 'a', namespace: 'default' }, spec: { items } };
}

const optionsFor = (type: MergeType, manager: string) => ({
  manager,
  apiVersion,
  kind: 'Flat',
  force: true,
  nowMs,
  typeOf: () => type,
  convert: (object: KubeObject) => object,
});

/** RFC 7386, the least that any patch costs. */
function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else put(merged, key, isObject(value) ? mergePatch(merged[key], value) : value);
  }
  return merged;
}

function measure(work: () => unknown): number {
  for (let round = 0; round < 20; round += 1) work();
  const samples: number[] = [];
  const end = performance.now() + 300;
  while (performance.now() < end || samples.length < 5) {
    const start = performance.now();
    work();
    samples.push(performance.now() - start);
  }
  samples.sort((a, b) => a - b);
  return (samples[Math.floor(samples.length / 2)] ?? 0) * 1000;
}

interface Case {
  readonly name: string;
  readonly work: () => unknown;
}

/** Measures a group of cases against its first one. */
function group(cases: readonly Case[]): ApplyBenchRow[] {
  const times = cases.map(({ work }) => measure(work));
  const baseline = times[0] ?? 1;
  return cases.map(({ name }, index) => {
    const microseconds = times[index] ?? 0;
    return { name, microseconds, timesBaseline: microseconds / baseline };
  });
}

/** Every case decodes the stored bytes and encodes the result, as a write on the server does. */
function flatRows(): ApplyBenchRow[] {
  const type = typeFromStructuralSchema(flatSchema(300));
  const options = optionsFor(type, 'applier');
  const stored = JSON.stringify(apply(undefined, flatObject(300), options).object);
  const body = JSON.stringify(flatObject(300)).replace('"value 7"', '"other"');
  const patch = JSON.stringify({ spec: { field7: 'other' } });
  const live = (): KubeObject => JSON.parse(stored);
  return group([
    {
      name: '300 fields: merge patch of one, no managed fields',
      work: () => JSON.stringify(mergePatch(live(), JSON.parse(patch))),
    },
    {
      name: '300 fields: PUT that changes nothing',
      work: () => JSON.stringify(update(live(), live(), options)),
    },
    {
      name: '300 fields: merge patch of one',
      work: () => {
        const object = live();
        return JSON.stringify(update(object, mergePatch(object, JSON.parse(patch)), options));
      },
    },
    {
      name: '300 fields: PUT that changes one',
      work: () => {
        const next = live();
        return JSON.stringify(update(live(), mergePatch(next, JSON.parse(patch)), options));
      },
    },
    {
      name: '300 fields: apply of all, one changed',
      work: () => JSON.stringify(apply(live(), JSON.parse(body), options).object),
    },
    {
      name: '300 fields: apply that changes nothing',
      work: () => apply(live(), flatObject(300), options).changed,
    },
  ]);
}

/** Each size against what decoding and encoding the same bytes costs alone: the rest must grow no faster. */
function listRows(): ApplyBenchRow[] {
  const type = typeFromStructuralSchema(listSchema);
  return [250, 500, 1000, 2000].flatMap((count) => {
    let object: KubeObject | undefined;
    for (let manager = 0; manager < 5; manager += 1) {
      object = apply(object, listObject(count), optionsFor(type, `applier-${manager}`)).object;
    }
    const stored = JSON.stringify(object);
    const body = JSON.stringify(listObject(count)).replace('app:17"', 'app:other"');
    const options = optionsFor(type, 'applier-0');
    return group([
      {
        name: `${count} keyed items, 5 managers: decode and encode`,
        work: () => [JSON.parse(body), JSON.stringify(JSON.parse(stored))],
      },
      {
        name: `${count} keyed items, 5 managers: apply of all, one changed`,
        work: () => JSON.stringify(apply(JSON.parse(stored), JSON.parse(body), options).object),
      },
    ]);
  });
}

/** What a write costs with server-side apply, and how it grows. */
export function run(print: (line: string) => void): void {
  for (const { name, microseconds, timesBaseline } of [...flatRows(), ...listRows()]) {
    print(
      `${name.padEnd(62)}${microseconds.toFixed(0).padStart(8)} us${timesBaseline.toFixed(2).padStart(8)} x`,
    );
  }
}
