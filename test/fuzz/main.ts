import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { type Finding, type RunResult, runTarget } from './run-target.ts';
import type { FuzzTarget } from './target.ts';
import { targets } from './targets/index.ts';

interface Flags {
  readonly seed: number;
  readonly cases: number;
  readonly seconds: number;
  readonly case?: number;
  readonly state: string;
  readonly findings: string;
}

/** Where each target goes on: `{"seed": 1, "next": {"bodies": 4000}}`. */
interface State {
  readonly seed: number;
  readonly next: Record<string, number>;
}

/** `npm run fuzz -- [targets] [flags]`: goes on where the last run with this seed stopped. */
export async function main(args: readonly string[]): Promise<void> {
  const names = targets.map(({ name }) => name);
  const command = new Command('npm run fuzz --')
    .argument('[targets...]', `which: ${names.join(', ')} (default: all)`)
    .option('--seed <number>', 'what everything is made of', Number, 1)
    .option('--cases <count>', 'how many cases of each target', Number, 5_000)
    .option('--seconds <count>', 'how long each target may take', Number, 120)
    .option('--case <number>', 'only this one, from the beginning of a server', Number)
    .option('--state <file>', 'where the next run goes on', 'fuzz-state.json')
    .option('--findings <file>', 'what was found, a line of JSON each', 'fuzz-findings.jsonl')
    .parse([...args], { from: 'user' });
  const wanted = command.args.length === 0 ? names : command.args;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}: they are ${names.join(', ')}`);
  // A server without a port keeps no process alive while it waits.
  const alive = setInterval(() => {}, 60_000);
  let found = 0;
  for (const target of targets.filter(({ name }) => wanted.includes(name))) {
    found += await fuzz(target, command.opts<Flags>());
  }
  clearInterval(alive);
  process.exitCode = found > 0 ? 1 : 0;
}

/** Gives how many different things were found. */
async function fuzz(target: FuzzTarget, flags: Flags): Promise<number> {
  const { seed, cases, seconds } = flags;
  const state = readState(flags.state, seed);
  const from = flags.case ?? state.next[target.name] ?? 0;
  const seen = new Set<string>();
  const result = await runTarget(target, {
    seed,
    from,
    to: flags.case === undefined ? from + cases : from + 1,
    endMs: performance.now() + seconds * 1_000,
    onFinding: (finding) => note(finding, seen, flags.findings),
  });
  if (flags.case === undefined) {
    const next = { ...state.next, [target.name]: from + result.cases };
    writeFileSync(flags.state, JSON.stringify({ seed, next }));
  }
  process.stdout.write(`${lineOf(target, from, result)}, ${seen.size} findings\n`);
  return seen.size;
}

/** Findings that differ in nothing but numbers are one. */
function note(finding: Finding, seen: Set<string>, file: string): void {
  const key = finding.what.replaceAll(/\d+/g, '0').slice(0, 200);
  if (seen.has(key)) return;
  seen.add(key);
  const request = finding.request && {
    ...finding.request,
    body: Buffer.from(finding.request.body ?? '')
      .toString('latin1')
      .slice(0, 10_000),
  };
  appendFileSync(file, `${JSON.stringify({ ...finding, request })}\n`);
  process.stdout.write(
    `${finding.target} case ${finding.case}: ${finding.what}\n  again: npm run fuzz -- ${finding.target} --seed ${finding.seed} --case ${finding.case}\n`,
  );
}

function readState(file: string, seed: number): State {
  if (!existsSync(file)) return { seed, next: {} };
  const state: State = JSON.parse(readFileSync(file, 'utf8'));
  return state.seed === seed ? state : { seed, next: {} };
}

function lineOf(
  { name }: FuzzTarget,
  from: number,
  { cases, requests, cpuMsMax, codes, grownBytes }: RunResult,
) {
  const sorted = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`);
  const grown = Math.round(grownBytes / 1024 / 1024);
  return `${name}: cases ${from} to ${from + cases}, ${requests} requests (${sorted.join(', ')}), at most ${Math.round(cpuMsMax)} ms, grown by ${grown} MB`;
}
