import { type Checked, type Finding, summarize } from '../checked.ts';
import type { FormatOptions } from './format.ts';
import { findingText, objectName } from './names.ts';

/** A line for each finding that editors and terminals can jump to: `widgets.yaml:12: Widget a: spec.size: ...`. */
export function text(all: readonly Checked[], { verbose, summary }: FormatOptions): string {
  const lines = all.flatMap((checked) => linesOf(checked, verbose));
  if (summary) lines.push(summaryLine(all));
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(checked: Checked, verbose: boolean): string[] {
  const { errors, warnings, verdict, file, line } = checked;
  const line_ = (word: string) => (finding: Finding) =>
    `${file}:${finding.line}: ${objectName(checked)}: ${word}${findingText(finding)}`;
  const said = [...errors.map(line_('')), ...warnings.map(line_('warning: '))];
  return verbose && errors.length === 0
    ? [...said, `${file}:${line}: ${objectName(checked)} is ${verdict}`]
    : said;
}

function summaryLine(all: readonly Checked[]): string {
  const { valid, invalid, error, skipped } = summarize(all);
  const files = new Set(all.map(({ file }) => file)).size;
  const counted = `${all.length} ${all.length === 1 ? 'object' : 'objects'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  return `${counted}: ${valid} valid, ${invalid} invalid, ${error} with errors, ${skipped} skipped`;
}
