import { Environment as PeerEnvironment } from '@marcbachmann/cel-js';
import { compile, declare, type DeclaredType, type Program, storedExpressions } from '../src/cel/index.ts';

/** One measurement: how many times quicker the first is than the second. */
export interface Ratio {
  readonly name: string;
  readonly ratio: number;
}

interface Case {
  readonly rule: string;
  readonly type: DeclaredType;
  readonly object: Record<string, unknown>;
}

/** Rules of the kinds that CRDs have, each over an object of a shape of its own. */
function makeCases(count: number): Case[] {
  return Array.from({ length: count }, (_, i) => {
    const low = `min${i}`;
    const high = `max${i}`;
    const list = `items${i}`;
    const name = `name${i}`;
    const object = {
      [low]: 1,
      [high]: i + 2,
      [name]: `object-${i}`,
      [list]: Array.from({ length: 3 }, (_unused, k) => ({ key: `k${k}`, port: 8000 + k })),
    };
    const rules = [
      `self.${low} <= self.${high}`,
      `self.${low} >= 0 && self.${high} < ${i + 100} && self.${name} != ''`,
      `has(self.${name}) && self.${name}.startsWith('object')`,
      `self.${list}.all(x, x.port > 0 && x.port < 65536)`,
      `self.${list}.exists(x, x.key == 'k1')`,
      `!has(self.${list}) || size(self.${list}) <= 10`,
    ];
    const item = declare.object(`Item${i}`, [
      ['key', declare.string({ maxElements: 40 })],
      ['port', declare.int()],
    ]);
    const type = declare.object(`Self${i}`, [
      [low, declare.int()],
      [high, declare.int()],
      [name, declare.string({ maxElements: 400 })],
      [list, declare.list(item, { maxElements: 10 })],
    ]);
    return { rule: rules[i % rules.length] ?? 'true', type, object };
  });
}

/** What the peer's ints are: bigints, all through the data. */
function withBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
}

/** Nanoseconds for one call, all functions in turn, the best of some rounds. */
function nanosEach(calls: readonly (() => unknown)[], rounds: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    for (let turn = 0; turn < 50; turn++) for (const call of calls) call();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / (50 * calls.length));
  }
  return best;
}

function medianCompileMicros(cases: readonly Case[]): number {
  const environment = storedExpressions();
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    for (const { rule, type } of cases) {
      const start = process.hrtime.bigint();
      const { cost } = compile(rule, environment, { variables: { self: type } });
      if (cost.max < 0n) throw new Error('unreachable');
      if (round > 1) times.push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

/** Runs the benches and prints what they measured. */
export function run(print: (line: string) => void): Ratio[] {
  const cases = makeCases(300);
  const environment = storedExpressions();
  const programs = cases.map(({ rule, type, object }): [Program, { self: unknown }] => [
    compile(rule, environment, { variables: { self: type } }).program,
    { self: object },
  ]);
  const peer = new PeerEnvironment({ unlistedVariablesAreDyn: true });
  const peers = cases.map(({ rule, object }): [(bindings: object) => unknown, object] => [
    peer.parse(rule),
    { self: withBigints(object) },
  ]);
  const generated = nanosEach(
    programs.map(
      ([program, bindings]) =>
        () =>
          program.evaluate(bindings),
    ),
    400,
  );
  const interpreted = nanosEach(
    programs.map(
      ([program, bindings]) =>
        () =>
          program.interpret(bindings, 1e6),
    ),
    60,
  );
  const others = nanosEach(
    peers.map(
      ([evaluate, bindings]) =>
        () =>
          evaluate(bindings),
    ),
    60,
  );
  const converted = nanosEach(
    cases.map(({ rule, object }) => {
      const evaluate = peer.parse(rule);
      return () => evaluate({ self: withBigints(object) });
    }),
    5,
  );
  const micros = medianCompileMicros(cases);
  print(
    `cel: 300 rules over 300 shapes: generated ${generated.toFixed(0)} ns, closures ${interpreted.toFixed(0)} ns, cel-js ${others.toFixed(0)} ns a rule (${converted.toFixed(0)} ns with its data made of JSON)`,
  );
  print(`cel: parse, check, estimate and plan: ${micros.toFixed(0)} us a rule (median)`);
  const ratios = [
    { name: 'cel: generated code against @marcbachmann/cel-js on JSON', ratio: converted / generated },
    {
      name: 'cel: generated code against @marcbachmann/cel-js on data made for it',
      ratio: others / generated,
    },
    { name: 'cel: generated code against closures', ratio: interpreted / generated },
  ];
  for (const { name, ratio } of ratios) print(`${name}: ${ratio.toFixed(1)}x`);
  return ratios;
}
