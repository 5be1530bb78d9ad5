import { readFileSync, writeFileSync } from 'node:fs';
import type { Ratios } from './ratios.ts';
import { ratiosOf } from './ratios.ts';
import type { Measured } from './run-scene.ts';
import { ours } from './table.ts';

/** What the chart shows: the last run that was written. */
const file = 'docs/images/side-by-side.json';

export interface ChartRow {
  readonly what: string;
  readonly againstUpstream: Ratios;
}

/** The rows that upstream has, with ratios against it. */
export interface ChartFigures {
  /** `2026-11-22, load 13 to 21` */
  readonly measured: string;
  readonly rows: readonly ChartRow[];
}

export function chartFigures(measured: readonly Measured[], when: string): ChartFigures {
  const rows = measured.flatMap(({ row, figures }) => {
    const againstUpstream = ratiosOf(row, ours(figures), figures.get('upstream'));
    return againstUpstream === undefined
      ? []
      : [{ what: row.what, againstUpstream: rounded(againstUpstream) }];
  });
  return { measured: when, rows };
}

export function writeFigures(figures: ChartFigures): void {
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}

export function readFigures(): ChartFigures {
  // Written by this file.
  return JSON.parse(readFileSync(file, 'utf8')) as ChartFigures;
}

function rounded({ value, cpu }: Ratios): Ratios {
  const two = (one: number) => Math.round(one * 100) / 100;
  return { value: two(value), ...(cpu === undefined ? {} : { cpu: two(cpu) }) };
}
