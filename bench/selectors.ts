import { defaultSelectorOptions, type JsonObject, type SelectorOptions } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';

const objects = 100_000;
const few = 1_000;
const wanted = 10;
const fields = 8;
const group = 'bench.example.com';
const text: JsonObject = { type: 'string' };
const names = Array.from({ length: fields }, (_, at) => `field${at}`);

/** Items with eight selectable fields, and plain ones with the same schema and none. */
function crd(plural: string, kind: string, selectable: boolean): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  const selectableFields = names.map((name) => ({ jsonPath: `.spec.${name}` }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(selectable ? { selectableFields } : {}),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { ...properties, note: text } } },
            },
          },
        },
      ],
    },
  };
}

const crds = [crd('items', 'Item', true), crd('plains', 'Plain', false)];
const pathOf = (plural: string) => `/apis/${group}/v1/namespaces/default/${plural}`;
const json = { 'content-type': 'application/json' };

/**
 * Ten of all have the rare value of field0; two of them the common value of field1 as well; field2 to field7 have a
 * value of their own in each object, as names and addresses have.
 */
function item(at: number, count: number, kind = 'Item'): JsonObject {
  const step = Math.floor(count / wanted);
  const rare = at % step === 0;
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: `item-${at}`, labels: { tier: at % 3 === 0 ? 'front' : 'back' } },
    spec: {
      ...Object.fromEntries(names.map((name) => [name, `${name}-value-${at}`])),
      field0: rare ? 'rare' : 'common',
      field1: at % 2 === 0 ? 'even' : 'odd',
      note: 'x'.repeat(400),
    },
  };
}

async function send(server: IlkServer, method: string, path: string, body?: object): Promise<string> {
  const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  const answer = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${answer}`);
  return answer;
}

async function filled(selectors: Partial<SelectorOptions>, count: number): Promise<IlkServer> {
  const server = await startServer({ crds, selectors, listen: false });
  let next = 0;
  const worker = async () => {
    while (next < count) await send(server, 'POST', pathOf('items'), item(next++, count));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return server;
}

async function timedUs(count: number, once: (index: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await once(index);
  return ((performance.now() - started) * 1_000) / count;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const list = (server: IlkServer, query: string) =>
  send(server, 'GET', `${pathOf('items')}?${query}`).then((answer) => {
    const { length } = JSON.parse(answer).items;
    if (length === 0 || length > wanted) throw new Error(`${length} items for ${query}`);
  });

const byField = 'fieldSelector=spec.field0%3Drare';
const byMore = `fieldSelector=spec.field0%3Drare,spec.field1%3Deven&labelSelector=tier%3Dfront`;

async function lists(print: (line: string) => void): Promise<void> {
  const [indexed, small] = [await filled({}, objects), await filled({}, few)];
  const scanning = await filled({ indexes: false }, objects);
  print('| list of at most 10 | scan | index | ratio |\n|---|---|---|---|');
  for (const [what, query] of [
    ['by a field', byField],
    ['by two fields and a label', byMore],
  ] as const) {
    // What is made on first use is made.
    for (const server of [indexed, small, scanning]) await list(server, query);
    const scan = median(await rounds(3, () => timedUs(1, () => list(scanning, query))));
    const index = median(await rounds(5, () => timedUs(200, () => list(indexed, query))));
    const least = median(await rounds(5, () => timedUs(200, () => list(small, query))));
    print(`| ${what} | ${scan.toFixed(0)} us | ${index.toFixed(0)} us | ${(scan / index).toFixed(0)} x |`);
    print(
      `| the same of 1,000 objects | ${least.toFixed(0)} us | ${index.toFixed(0)} us | ${(index / least).toFixed(2)} x |`,
    );
  }
  for (const server of [indexed, small, scanning]) await server.close();
}

async function rounds(count: number, measure: () => Promise<number>): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < count; round += 1) measured.push(await measure());
  return measured;
}

export const defaults = defaultSelectorOptions;

/** Lists and watches by fields and labels; "scan" is the same server with its indexes off. */
export async function run(print: (line: string) => void): Promise<void> {
  await lists(print);
}
