import { type CheckResult, summarize } from '../../../offline/index.ts';
import { findingText, objectName } from './names.ts';

/** JUnit XML: a suite for each file, a case for each object. */
export function junit(all: readonly CheckResult[]): string {
  const files = [...new Set(all.map(({ file }) => file))];
  const suites = files.map((file) =>
    suite(
      file,
      all.filter((checked) => checked.file === file),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(all)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(all: readonly CheckResult[]): string {
  const { invalid, error, skipped } = summarize(all);
  return `tests="${all.length}" failures="${invalid}" errors="${error}" skipped="${skipped}"`;
}

function suite(file: string, checked: readonly CheckResult[]): string {
  const cases = checked.map(testCase).join('\n');
  return `  <testsuite name="${escaped(file)}" ${counts(checked)}>\n${cases}\n  </testsuite>`;
}

function testCase(checked: CheckResult): string {
  const { apiVersion, kind, verdict, file, errors, warnings } = checked;
  const className = [apiVersion, kind].filter((part) => part !== '').join('/');
  const open = `    <testcase name="${escaped(objectName(checked))}" classname="${escaped(className)}"`;
  const lines = errors.map((finding) => `${file}:${finding.line}: ${findingText(finding)}`).join('\n');
  const inside: string[] = [];
  if (verdict === 'skipped') inside.push('<skipped/>');
  if (verdict === 'invalid') inside.push(`<failure message="${escaped(lines)}"/>`);
  if (verdict === 'error') inside.push(`<error message="${escaped(lines)}"/>`);
  if (warnings.length > 0)
    inside.push(`<system-out>${escaped(warnings.map(findingText).join('\n'))}</system-out>`);
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}</testcase>`;
}

/** Replaces characters that XML 1.0 cannot represent by a question mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches the characters to replace
const unrepresentable = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

function escaped(text: string): string {
  return text.replace(unrepresentable, '?').replace(/[&<>"\n]/g, (char) => entities[char] ?? char);
}
