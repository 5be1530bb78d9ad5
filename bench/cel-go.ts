import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bindings,
  compile,
  declare,
  type DeclaredType,
  type Program,
  storedExpressions,
} from '../src/cel/index.ts';

/**
 * Five rules, one at a time, by this room and by cel-go as kube-apiserver runs it: `cel-go/main.go`, which is built
 * here where Go is installed. Both say what a rule gives and costs, and must agree.
 */
interface Case {
  readonly name: string;
  readonly rule: string;
  /** For kube-apiserver, and the same for this room. */
  readonly schema: object;
  readonly type: DeclaredType;
  readonly self: unknown;
  readonly oldSelf?: unknown;
  /** How many times quicker than cel-go is to be reached. */
  readonly target: number;
}

interface Answer {
  readonly value: unknown;
  readonly cost: number;
  readonly nanos: number;
}

const label = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

function namesCase(length: number): Case {
  return {
    name: `all(matches) over ${length} names`,
    rule: `self.names.all(n, n.matches('${label}'))`,
    schema: {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } } },
    },
    type: declare.object('Names', [['names', declare.list(declare.string())]]),
    self: { names: Array.from({ length }, (_, index) => `some-name-${index}`) },
    target: 20,
  };
}

const replicas = ['minReplicas', 'replicas', 'maxReplicas'];

const cases: readonly Case[] = [
  {
    name: 'integers compared',
    rule: 'self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas',
    schema: {
      type: 'object',
      properties: Object.fromEntries(replicas.map((field) => [field, { type: 'integer' }])),
    },
    type: declare.object(
      'Replicas',
      replicas.map((field) => [field, declare.int()] as const),
    ),
    self: { minReplicas: 1, replicas: 3, maxReplicas: 10 },
    target: 100,
  },
  {
    name: 'a text that must not change',
    rule: 'self.x == oldSelf.x',
    schema: { type: 'object', properties: { x: { type: 'string' } } },
    type: declare.object('Immutable', [['x', declare.string()]]),
    self: { x: 'some-value' },
    oldSelf: { x: 'some-value' },
    target: 100,
  },
  {
    name: 'has and exists(startsWith)',
    rule: "has(self.tags) && self.tags.exists(t, t.startsWith('prod-'))",
    schema: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
    type: declare.object('Tagged', [['tags', declare.list(declare.string())]]),
    self: { tags: ['team-a', 'region-eu', 'tier-1', 'prod-main'] },
    target: 100,
  },
  namesCase(10),
  namesCase(1000),
];

/** Builds the Go program; undefined, with the reason printed, where that cannot be done. */
function build(folder: string, print: (line: string) => void): string | undefined {
  const binary = join(folder, 'cel-go');
  const cwd = join(process.cwd(), 'bench', 'cel-go');
  const { error, status, stderr } = spawnSync('go', ['build', '-o', binary, '.'], { cwd, encoding: 'utf8' });
  if (error !== undefined) print('cel-go: skipped, Go is not installed');
  else if (status !== 0) print(`cel-go: skipped, its program does not build:\n${stderr}`);
  return error === undefined && status === 0 ? binary : undefined;
}

function askGo(binary: string): Answer[] {
  const input = JSON.stringify(
    cases.map(({ rule, schema, self, oldSelf }) => ({ rule, schema, self, oldSelf })),
  );
  const { status, stdout, stderr } = spawnSync(binary, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cel-go failed: ${stderr}`);
  return JSON.parse(stdout);
}

function timed(program: Program, bindings: Bindings, calls: number): number {
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) program.evaluate(bindings);
  return Number(process.hrtime.bigint() - start);
}

/** As the Go program has it: the median of rounds that run for a tenth of a second each, after a warm-up. */
function ask({ rule, type, self, oldSelf }: Case): Answer {
  const variables = oldSelf === undefined ? { self: type } : { self: type, oldSelf: type };
  const bindings = oldSelf === undefined ? { self } : { self, oldSelf };
  const { program } = compile(rule, storedExpressions(), { variables });
  const { value, cost } = program.evaluate(bindings);
  let calls = 1;
  while (timed(program, bindings, calls) < 100e6) calls *= 2;
  const nanos = Array.from({ length: 7 }, () => timed(program, bindings, calls) / calls);
  return { value, cost, nanos: median(nanos) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function shown(nanos: number): string {
  return nanos < 1000 ? `${nanos.toFixed(1)} ns` : `${(nanos / 1000).toFixed(1)} us`;
}

/** Runs both in turn, three times, and prints the medians. */
export function run(print: (line: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-cel-go-'));
  try {
    const binary = build(folder, print);
    if (binary === undefined) return;
    const rounds = Array.from({ length: 3 }, () => ({ go: askGo(binary), ours: cases.map(ask) }));
    for (const [index, { name, target }] of cases.entries()) {
      const go = rounds.flatMap((round) => round.go[index] ?? []);
      const ours = rounds.flatMap((round) => round.ours[index] ?? []);
      const answers = new Set([...go, ...ours].map(({ value, cost }) => `${value} for ${cost}`));
      if (answers.size !== 1) throw new Error(`${name}: different answers: ${[...answers].join(', ')}`);
      const goNanos = median(go.map(({ nanos }) => nanos));
      const ourNanos = median(ours.map(({ nanos }) => nanos));
      const ratio = (goNanos / ourNanos).toFixed(0);
      print(
        `cel-go: ${name}: cel-go ${shown(goNanos)}, ours ${shown(ourNanos)}: ${ratio}x (to reach: ${target}x)`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
