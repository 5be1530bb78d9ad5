import { encodeJsonPretty, encodeYaml } from '../../codec/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { annotation } from '../annotation.ts';
import type { Paint } from '../paint.ts';
import type { CheckResult } from '../../offline/index.ts';
import { findingText, objectName } from '../validate/formats/names.ts';
import type { CrdChange } from '../../diff/index.ts';

/** The result of a comparison. */
export interface DiffReport {
  readonly changes: readonly CrdChange[];
  /** Objects that the new CRDs refuse. */
  readonly refused: readonly CheckResult[];
}

/** Formats a report. */
type DiffFormat = (report: DiffReport, paint: Paint) => string;

/** All formats; a new one is a function and a line here. */
export const diffFormats: ReadonlyMap<string, DiffFormat> = new Map([
  ['text', text],
  ['json', (report) => encodeJsonPretty(data(report)).toString()],
  ['yaml', (report) => encodeYaml(data(report)).toString()],
  ['github', github],
]);

export function isBreaking({ changes, refused }: DiffReport): boolean {
  return refused.length > 0 || changes.some(({ severity }) => severity === 'breaking');
}

function text(report: DiffReport, paint: Paint): string {
  const { changes, refused } = report;
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  const lines = [
    ...changes.map((change) => {
      const said = `${change.severity}: ${change.message}`;
      return `${placeOf(change)}: ${change.severity === 'breaking' ? paint('red', said) : said}`;
    }),
    ...refused.flatMap((checked) =>
      checked.errors.map(
        (finding) =>
          `${checked.file}:${finding.line}: ${objectName(checked)}: ${paint('red', findingText(finding))}`,
      ),
    ),
    paint(
      isBreaking(report) ? 'red' : 'green',
      `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${breaking} breaking`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** `widgets.example.com v1 .spec.size` */
function placeOf({ crd, version, path }: CrdChange): string {
  return [crd, version, path].filter((part) => part !== '').join(' ');
}

function data({ changes, refused }: DiffReport): JsonObject {
  return {
    changes: changes.map((change) => ({ ...change })),
    refused: refused.map((checked) => ({
      file: checked.file,
      line: checked.line,
      object: objectName(checked),
      errors: checked.errors.map((error) => ({ ...error })),
    })),
  };
}

/** Annotations at the CRDs and objects; safe changes are left out. */
function github({ changes, refused }: DiffReport): string {
  return [
    ...changes
      .filter(({ severity }) => severity === 'breaking')
      .map((change) =>
        annotation('error', `${change.message} (${change.rule})`, {
          file: change.file,
          line: change.line,
          title: placeOf(change),
        }),
      ),
    ...refused.flatMap((checked) =>
      checked.errors.map((finding) =>
        annotation('error', findingText(finding), {
          file: checked.file,
          line: finding.line,
          title: objectName(checked),
        }),
      ),
    ),
  ].join('');
}
