import { Environment as PeerEnvironment } from '@marcbachmann/cel-js';
import { compile, declare, type DeclaredType, storedExpressions } from '../src/cel/index.ts';
import { closuresOf, type Names } from './cel/closures.ts';

/** One measurement: how many times quicker the first is than the second. */
interface Ratio {
  readonly name: string;
  readonly ratio: number;
}

interface Case {
  readonly rule: string;
  readonly type: DeclaredType;
  readonly names: Names;
  readonly object: Record<string, unknown>;
}

/** The kinds of rule that CRDs have. */
const rulesOf: readonly ((names: Names) => string)[] = [
  ({ low, high }) => `self.${low} <= self.${high}`,
  ({ low, high, name, limit }) => `self.${low} >= 0 && self.${high} < ${limit} && self.${name} != ''`,
  ({ name }) => `has(self.${name}) && self.${name}.startsWith('object')`,
  ({ list }) => `self.${list}.all(x, x.port > 0 && x.port < 65536)`,
  ({ list }) => `self.${list}.exists(x, x.key == 'k1')`,
  ({ list }) => `!has(self.${list}) || size(self.${list}) <= 10`,
];

/** Rules of those kinds, each over an object of a shape of its own, which is JSON as a server has it. */
function makeCases(count: number): Case[] {
  return Array.from({ length: count }, (_, i) => {
    const names: Names = {
      low: `min${i}`,
      high: `max${i}`,
      name: `name${i}`,
      list: `items${i}`,
      limit: i + 100,
    };
    const object = {
      [names.low]: 1,
      [names.high]: i + 2,
      [names.name]: `object-${i}`,
      [names.list]: Array.from({ length: 3 }, (_unused, k) => ({ key: `k${k}`, port: 8000 + k })),
    };
    const item = declare.object(`Item${i}`, [
      ['key', declare.string({ maxElements: 40 })],
      ['port', declare.int()],
    ]);
    const type = declare.object(`Self${i}`, [
      [names.low, declare.int()],
      [names.high, declare.int()],
      [names.name, declare.string({ maxElements: 400 })],
      [names.list, declare.list(item, { maxElements: 10 })],
    ]);
    const rule = rulesOf[i % rulesOf.length]?.(names) ?? 'true';
    return { rule, type, names, object: JSON.parse(JSON.stringify(object)) };
  });
}

/** What the peer's ints are: bigints, all through the data. */
function withBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
}

/** One way to evaluate all cases. */
interface Way {
  /** Evaluates each case once, and gives how many of them were true. */
  readonly all: () => number;
  /** How many turns make up one measurement. */
  readonly turns: number;
}

/** Nanoseconds for one evaluation, all cases in turn. */
function nanos({ all, turns }: Way, cases: number): number {
  let found = 0;
  const start = process.hrtime.bigint();
  for (let turn = 0; turn < turns; turn++) found += all();
  const taken = Number(process.hrtime.bigint() - start);
  if (found !== turns * cases) throw new Error('not all rules are true, as they should be');
  return taken / (turns * cases);
}

/**
 * Runs until nothing gets quicker any more. Rules are many functions, each of which V8 first runs slowly and then
 * optimizes in the background, which takes its time on a busy machine.
 */
function warmUp(way: Way, cases: number): void {
  const patience = 200;
  const end = Date.now() + 15_000;
  let best = Number.POSITIVE_INFINITY;
  for (let since = 0; since < patience && Date.now() < end; since++) {
    const time = nanos(way, cases);
    if (time < best * 0.98) since = 0;
    best = Math.min(best, time);
  }
}

/** The same of each way: medians of rounds in turn, once each way is warm. */
function nanosEach(ways: readonly Way[], cases: number): number[] {
  for (const way of ways) warmUp(way, cases);
  const rounds = Array.from({ length: 100 }, () => ways.map((way) => nanos(way, cases)));
  return ways.map((_, index) => median(rounds.map((round) => round[index] ?? Number.NaN)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
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
  return median(times);
}

// Each way has a loop of its own: V8 would otherwise see calls of five kinds at one place.
function oursOf(cases: readonly Case[]): Way[] {
  const environment = storedExpressions();
  const pairs = cases.map(({ rule, type, object }) => ({
    program: compile(rule, environment, { variables: { self: type } }).program,
    bindings: { self: object },
  }));
  const generated = (): number => {
    let count = 0;
    for (const { program, bindings } of pairs) if (program.evaluate(bindings).value === true) count++;
    return count;
  };
  const interpreted = (): number => {
    let count = 0;
    for (const { program, bindings } of pairs) if (program.interpret(bindings, 1e6).value === true) count++;
    return count;
  };
  return [
    { all: generated, turns: 50 },
    { all: interpreted, turns: 3 },
  ];
}

function closuresFor(cases: readonly Case[]): Way {
  const pairs = cases.map(({ names, object }, index) => {
    const makeClosure = closuresOf[index % closuresOf.length];
    if (makeClosure === undefined) throw new Error('a rule without closures');
    return { closure: makeClosure(names), self: object };
  });
  const all = (): number => {
    let count = 0;
    for (const { closure, self } of pairs) if (closure({ self, cost: 0, item: {} }) === true) count++;
    return count;
  };
  return { all, turns: 20 };
}

function peersOf(cases: readonly Case[]): Way[] {
  const peer = new PeerEnvironment({ unlistedVariablesAreDyn: true });
  const pairs = cases.map(({ rule, object }) => ({
    evaluate: peer.parse(rule),
    bindings: { self: withBigints(object) },
    object,
  }));
  const converted = (): number => {
    let count = 0;
    for (const { evaluate, bindings } of pairs) if (evaluate(bindings) === true) count++;
    return count;
  };
  const fromJson = (): number => {
    let count = 0;
    for (const { evaluate, object } of pairs) if (evaluate({ self: withBigints(object) }) === true) count++;
    return count;
  };
  return [
    { all: converted, turns: 5 },
    { all: fromJson, turns: 1 },
  ];
}

/** Runs the benches and prints what they measured. */
export function run(print: (line: string) => void): Ratio[] {
  const cases = makeCases(300);
  const ways = [...oursOf(cases), closuresFor(cases), ...peersOf(cases)];
  const [ours = 0, interpreter = 0, closures = 0, peer = 0, peerFromJson = 0] = nanosEach(ways, cases.length);
  const shown = (nanos: number): string => `${nanos.toFixed(1)} ns`;
  print(`cel: 300 rules over 300 shapes, round robin: ${shown(ours)} a rule`);
  print(`cel: hand-written closures ${shown(closures)}, our interpreter ${shown(interpreter)}`);
  print(`cel: cel-js ${shown(peer)} on data made for it, ${shown(peerFromJson)} on JSON`);
  print(`cel: parse, check, estimate and plan: ${medianCompileMicros(cases).toFixed(0)} us a rule (median)`);
  const ratios = [
    { name: 'cel: generated code against @marcbachmann/cel-js on data made for it', ratio: peer / ours },
    { name: 'cel: generated code against @marcbachmann/cel-js on JSON', ratio: peerFromJson / ours },
    { name: 'cel: generated code against hand-written closures', ratio: closures / ours },
    { name: 'cel: generated code against our interpreter', ratio: interpreter / ours },
  ];
  for (const { name, ratio } of ratios) print(`${name}: ${ratio.toFixed(1)}x`);
  return ratios;
}
