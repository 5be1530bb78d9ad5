import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCharts } from './peer/chart.ts';
import { makeSite, present, removeSite } from './peer/contenders.ts';
import { writeDocument } from './peer/document.ts';
import { chartFigures, readFigures, writeFigures } from './peer/figures-file.ts';
import { LoadGenerator } from './peer/load-generator.ts';
import { profileRow } from './peer/profile-row.ts';
import { type Measured, runScene } from './peer/run-scene.ts';
import { scenes } from './peer/scenes.ts';
import { table } from './peer/table.ts';

type Print = (line: string) => void;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
      chart: { type: 'boolean', default: false },
      profile: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const rows = values.rows.split(',').filter((name) => name !== '');
  return { ...values, rows, rounds: Number(values.rounds) };
}

/**
 * Ilk beside upstream's apiextensions-apiserver (where `ILK_BENCH_UPSTREAM` names its binary) and beside bare servers of Node,
 * in turns. `--rows get-h2,list` measures some rows, `--rounds 5` more often, `--write` puts the table into
 * docs/benchmarks.md and draws the chart, `--chart` only draws that of the last run; `--profile get-h2` shows where Ilk's time goes in one row instead.
 */
export async function run(print: Print, args: readonly string[] = []): Promise<void> {
  if (readOptions(args).chart) return writeCharts(readFigures());
  if (!hasGo()) return print('Skipped: the load generator needs Go.');
  const options = readOptions(args);
  const folder = mkdtempSync(join(tmpdir(), 'ilk-peer-'));
  const site = await makeSite(folder);
  try {
    const load = LoadGenerator.build(folder);
    if (options.profile !== undefined) {
      await profileRow(options.profile, { site, load, print });
      return;
    }
    const onTurn = options.verbose ? { onTurn: print } : {};
    const loadBefore = loadText();
    const measured: Measured[] = [];
    for (const scene of scenes)
      measured.push(...(await runScene(scene, { ...options, ...onTurn, site, load })));
    const text = `${circumstances(options.rounds, loadBefore)}\n\n${table(measured)}`;
    print(text);
    if (options.write) writeResults(measured, { text, loadBefore });
  } finally {
    removeSite(site);
  }
}

function writeResults(
  measured: readonly Measured[],
  { text, loadBefore }: { readonly text: string; readonly loadBefore: string },
): void {
  writeDocument(text);
  const figures = chartFigures(measured, `on ${today()}, load ${loadBefore} to ${loadText()}`);
  writeFigures(figures);
  writeCharts(figures);
}

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const today = () => new Date().toISOString().slice(0, 10);
const loadText = () => (loadavg()[0] ?? 0).toFixed(1);

function circumstances(rounds: number, loadBefore: string): string {
  const peers = [...present].join(', ');
  return `Measured on ${today()}: ${peers}; ${cpus().length} cores, Node ${process.version}, ${rounds} rounds in turns; load ${loadBefore} before, ${loadText()} after (the measured processes included).`;
}
