import { annotation } from '../../annotation.ts';
import type { CheckResult, Finding } from '../../../offline/index.ts';
import { findingText, objectName } from './names.ts';

/** Workflow commands of GitHub Actions: each finding becomes an annotation at its line. */
export function github(all: readonly CheckResult[]): string {
  return all
    .flatMap((checked) => [
      ...checked.errors.map((finding) => annotationOf('error', checked, finding)),
      ...checked.warnings.map((finding) => annotationOf('warning', checked, finding)),
    ])
    .join('');
}

function annotationOf(level: 'error' | 'warning', checked: CheckResult, finding: Finding): string {
  const { file } = checked;
  return annotation(level, findingText(finding), { file, line: finding.line, title: objectName(checked) });
}
