import { encodeJsonPretty } from '../../codec/index.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../paint.ts';
import type { CheckResult } from '../../offline/index.ts';
import { formats as checkFormats } from '../validate/formats/format.ts';
import { findingText, objectName } from '../validate/formats/names.ts';
import { type CaseResult, countsOf, type PolicyTestReport } from './case-result.ts';

/** Formats a report. */
type PolicyTestFormat = (report: PolicyTestReport, paint: Paint) => string;

/** All formats; a new one is a function and a line here. */
export const policyTestFormats: ReadonlyMap<string, PolicyTestFormat> = new Map([
  ['text', text],
  ['json', json],
  ['github', (report) => asChecks('github', report)],
  ['junit', (report) => asChecks('junit', report)],
  ['tap', (report) => asChecks('tap', report)],
]);

/** A line for each case, `policies/cases.yaml:7: ok: five fit`, and one with the counts. */
function text(report: PolicyTestReport, paint: Paint): string {
  const { passed, failed, errors } = countsOf(report);
  const total = passed + failed;
  const counted = `${total} ${total === 1 ? 'case' : 'cases'}: ${passed} passed, ${failed} failed, ${errors} errors`;
  const lines = [
    ...report.troubles.flatMap((trouble) =>
      trouble.errors.map(
        (finding) =>
          `${trouble.file}:${finding.line}: ${paint('red', `ERROR: ${objectName(trouble)}: ${findingText(finding)}`)}`,
      ),
    ),
    ...report.results.map((result) => caseLine(result, paint)),
    paint(failed + errors > 0 ? 'red' : 'green', counted),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function caseLine({ one, failure }: CaseResult, paint: Paint): string {
  const name = onOneLine(one.name);
  const said = failure === undefined ? `ok: ${name}` : `FAILED: ${name}: ${onOneLine(failure)}`;
  return `${one.file}:${one.line}: ${failure === undefined ? said : paint('red', said)}`;
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** `{cases: [{file, line, name, status, message}], errors: [{file, line, message}], summary}` */
function json(report: PolicyTestReport): string {
  const cases = report.results.map(({ one: { file, line, name }, failure }) => ({
    file,
    line,
    name,
    status: failure === undefined ? 'passed' : 'failed',
    ...(failure === undefined ? {} : { message: failure }),
  }));
  const errors = report.troubles.flatMap((trouble) =>
    trouble.errors.map(({ line, message }) => ({
      file: trouble.file,
      line,
      message: `${objectName(trouble)}: ${message}`,
    })),
  );
  return encodeJsonPretty({ cases, errors, summary: countsOf(report) }).toString();
}

/** In the form of `ilk validate`. */
function asChecks(format: string, { results, troubles }: PolicyTestReport): string {
  const checks = [
    ...troubles.map((trouble): CheckResult => ({ ...trouble, verdict: 'error' })),
    ...results.map(checkOf),
  ];
  return checkFormats.get(format)?.(checks, { verbose: true, summary: true, paint: plain }) ?? '';
}

function checkOf({ one: { file, line, name }, failure }: CaseResult): CheckResult {
  return {
    file,
    line,
    apiVersion: 'PolicyTest',
    kind: '',
    namespace: '',
    name,
    verdict: failure === undefined ? 'valid' : 'invalid',
    errors: failure === undefined ? [] : [{ message: failure, field: '', line }],
    warnings: [],
    object: undefined,
  };
}
