import { type CheckResult, type Finding, summarize } from '../../../offline/index.ts';
import type { Paint } from '../../paint.ts';
import type { FormatOptions } from './format.ts';
import { findingText, objectName } from './names.ts';

/** A line for each finding that editors and terminals can link: `widgets.yaml:12: Widget a: spec.size: ...`. */
export function text(all: readonly CheckResult[], { verbose, summary, paint }: FormatOptions): string {
  const lines = all.flatMap((checked) => linesOf(checked, { verbose, paint }));
  if (summary) lines.push(summaryLine(all, paint));
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(
  checked: CheckResult,
  { verbose, paint }: Pick<FormatOptions, 'verbose' | 'paint'>,
): string[] {
  const { errors, warnings, verdict, file, line } = checked;
  const at = (finding: Finding) => `${file}:${finding.line}: ${objectName(checked)}: `;
  const said = [
    ...errors.map((finding) => `${at(finding)}${paint('red', findingText(finding))}`),
    ...warnings.map((finding) => `${at(finding)}${paint('yellow', `warning: ${findingText(finding)}`)}`),
  ];
  return verbose && errors.length === 0
    ? [...said, `${file}:${line}: ${objectName(checked)} is ${verdict}`]
    : said;
}

function summaryLine(all: readonly CheckResult[], paint: Paint): string {
  const { valid, invalid, error, skipped } = summarize(all);
  const files = new Set(all.map(({ file }) => file)).size;
  const counted = `${all.length} ${all.length === 1 ? 'object' : 'objects'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  const said = `${counted}: ${valid} valid, ${invalid} invalid, ${error} with errors, ${skipped} skipped`;
  return paint(invalid + error > 0 ? 'red' : 'green', said);
}
