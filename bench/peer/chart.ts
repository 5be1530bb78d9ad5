import { writeFileSync } from 'node:fs';
import type { ChartFigures, ChartRow } from './figures-file.ts';

/** The colours of a page. */
interface Theme {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly value: string;
  readonly cpu: string;
}

const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { text: '#1f2328', muted: '#59636e', line: '#d1d9e0', value: '#0969da', cpu: '#80ccff' },
  dark: { text: '#f0f6fc', muted: '#9198a1', line: '#3d444d', value: '#4493f8', cpu: '#1f4f8c' },
};

const width = 880;
const labelWidth = 320;
const rowHeight = 40;
const barHeight = 12;
const headHeight = 64;
/** The width of a label in characters. */
const labelLength = 46;
const valueWidth = 60;

/** Draws docs/images/side-by-side-light.svg and -dark.svg. */
export function writeCharts(figures: ChartFigures): void {
  for (const [name, theme] of Object.entries(themes))
    writeFileSync(`docs/images/side-by-side-${name}.svg`, chart(figures, theme));
}

/** Bars from 1 to the right where Ilk is better than upstream, to the left where it is worse; a logarithmic axis. */
function chart({ measured, rows }: ChartFigures, theme: Theme): string {
  const scale = scaleOf(rows);
  const height = headHeight + rows.length * rowHeight + 28;
  const parts = [
    text(
      { x: 0, y: 16, theme, size: 15 },
      'Ilk against apiextensions-apiserver with etcd: how many times better (1 is equal)',
    ),
    ...legend(theme),
    ...scale.ticks.flatMap((tick) => gridLine(tick, { x: scale.x(tick), height, theme })),
    ...rows.flatMap((row, index) => drawnRow(row, { y: headHeight + index * rowHeight, x: scale.x, theme })),
    text(
      { x: 0, y: height - 6, theme, size: 11, muted: true },
      `Measured ${measured}. Medians of the ratios of each round.`,
    ),
  ];
  const font = 'font-family="system-ui, -apple-system, Segoe UI, sans-serif"';
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ${font}>`;
  return `${[head, `<title>Ilk against upstream, side by side</title>`, ...parts, '</svg>'].join('\n')}\n`;
}

/** Powers of 4 around all ratios. */
function scaleOf(rows: readonly ChartRow[]) {
  const all = rows.flatMap(({ againstUpstream: { value, cpu } }) => [value, cpu ?? value]);
  const step = (one: number) => Math.log(one) / Math.log(4);
  const from = Math.min(-1, Math.floor(step(Math.min(...all))));
  const to = Math.max(1, Math.ceil(step(Math.max(...all))));
  const room = width - labelWidth - valueWidth;
  return {
    x: (ratio: number) => round(labelWidth + ((step(ratio) - from) / (to - from)) * room),
    ticks: Array.from({ length: to - from + 1 }, (_, index) => 4 ** (from + index)),
  };
}

interface RowPlace {
  readonly y: number;
  readonly x: (ratio: number) => number;
  readonly theme: Theme;
}

function drawnRow({ what, againstUpstream: { value, cpu } }: ChartRow, { y, x, theme }: RowPlace): string[] {
  const lines = wrapped(what);
  const bar = (ratio: number, top: number, colour: string) => {
    const [one, other] = [x(1), x(ratio)];
    const shape = `<rect x="${Math.min(one, other)}" y="${top}" width="${Math.max(1, round(Math.abs(other - one)))}" height="${barHeight}" fill="${colour}"/>`;
    const label = { x: Math.max(one, other) + 4, y: top + barHeight - 2, theme, size: 11 };
    return [shape, text(label, `${ratio.toLocaleString('en', { maximumFractionDigits: 2 })} x`)];
  };
  return [
    ...lines.map((line, index) =>
      text({ x: 0, y: y + (lines.length === 1 ? 18 : 12) + index * 14, theme, size: 12 }, line),
    ),
    ...bar(value, y + 1, theme.value),
    ...(cpu === undefined ? [] : bar(cpu, y + 2 + barHeight, theme.cpu)),
  ];
}

function legend(theme: Theme): string[] {
  const entry = (x: number, colour: string, what: string) => [
    `<rect x="${x}" y="26" width="12" height="12" fill="${colour}"/>`,
    text({ x: x + 18, y: 36, theme, size: 12 }, what),
  ];
  return [
    ...entry(0, theme.value, 'rate, time or memory'),
    ...entry(170, theme.cpu, 'processor time of the server'),
  ];
}

function gridLine(
  tick: number,
  { x, height, theme }: { readonly x: number; readonly height: number; readonly theme: Theme },
): string[] {
  const weight = tick === 1 ? 2 : 1;
  return [
    `<line x1="${x}" y1="${headHeight - 6}" x2="${x}" y2="${height - 24}" stroke="${theme.line}" stroke-width="${weight}"/>`,
    text({ x: x - 8, y: headHeight - 12, theme, size: 11, muted: true }, `${tick} x`),
  ];
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly theme: Theme;
  readonly size: number;
  readonly muted?: boolean;
}

function text({ x, y, theme, size, muted = false }: TextPlace, content: string): string {
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${muted ? theme.muted : theme.text}">${safe}</text>`;
}

/** Two lines at most. */
function wrapped(what: string): string[] {
  if (what.length <= labelLength) return [what];
  const at = what.lastIndexOf(' ', labelLength);
  return [what.slice(0, at), what.slice(at + 1)];
}

const round = (value: number) => Math.round(value * 10) / 10;
