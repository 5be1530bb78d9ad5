import { encodeJsonPretty, encodeYaml } from '../../codec/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { annotation } from '../annotation.ts';
import type { Paint } from '../paint.ts';
import type { Imported, ImportNote } from './importer.ts';

/** The results of an import and their counts. */
interface ImportReport extends Imported {
  readonly total: number;
}

/** Formats a report. */
type ImportFormat = (report: ImportReport, paint: Paint) => string;

/** All formats; a new one is a function and a line here. */
export const importFormats: ReadonlyMap<string, ImportFormat> = new Map([
  ['text', text],
  ['json', (report) => encodeJsonPretty(data(report)).toString()],
  ['yaml', (report) => encodeYaml(data(report)).toString()],
  ['github', github],
]);

function text({ imported, total, troubles, warnings }: ImportReport, paint: Paint): string {
  const lines = [
    ...warnings.map((note) => `${placeOf(note)}${paint('yellow', `warning: ${note.message}`)}`),
    ...troubles.map((note) => `${placeOf(note)}${paint('red', note.message)}`),
    paint(troubles.length > 0 ? 'red' : 'green', `imported ${imported} of ${total} objects`),
  ];
  return lines.map((line) => `ilk: ${line}\n`).join('');
}

/** `all.yaml:12: Widget a: ` */
function placeOf({ file, line, object }: ImportNote): string {
  return `${file}:${line}: ${object === '' ? '' : `${object}: `}`;
}

function data({ imported, total, troubles, warnings }: ImportReport): JsonObject {
  return {
    imported,
    total,
    errors: troubles.map((note) => ({ ...note })),
    warnings: warnings.map((note) => ({ ...note })),
  };
}

function github({ troubles, warnings }: ImportReport): string {
  const of = (level: 'error' | 'warning') => (note: ImportNote) =>
    annotation(level, note.message, { file: note.file, line: note.line, title: note.object });
  return [...troubles.map(of('error')), ...warnings.map(of('warning'))].join('');
}
