import type { CheckResult } from '../../../offline/index.ts';
import { findingText, objectName } from './names.ts';

/** The Test Anything Protocol, version 13. */
export function tap(all: readonly CheckResult[]): string {
  const lines = all.flatMap((checked, index) => [
    `${isGood(checked) ? 'ok' : 'not ok'} ${index + 1} - ${place(checked)}${directive(checked)}`,
    ...[...checked.errors, ...checked.warnings].map(
      (finding) => `# ${checked.file}:${finding.line}: ${findingText(finding)}`,
    ),
  ]);
  return ['TAP version 13', `1..${all.length}`, ...lines].map((line) => `${line}\n`).join('');
}

function isGood({ verdict }: CheckResult): boolean {
  return verdict === 'valid' || verdict === 'skipped';
}

/** `#` starts a directive, so it is escaped in names. */
function place(checked: CheckResult): string {
  return `${checked.file} (${objectName(checked)})`.replaceAll('#', '\\#').replaceAll('\n', ' ');
}

function directive({ verdict }: CheckResult): string {
  return verdict === 'skipped' ? ' # SKIP' : '';
}
