import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './chapter.ts';

/** Answers that differ from upstream's and stay so: all patterns that are there must match. */
interface Difference {
  readonly why: string;
  /** The seed and the number of the request, as `npm run differential` shows them. */
  readonly at?: readonly string[];
  /** Of the request: its method, path and body. */
  readonly request?: string;
  /** Of upstream's answer. */
  readonly upstream?: string;
  /** Of Ilk's answer. */
  readonly ilk?: string;
  /** Where the texts of both have the same lines, in another order. */
  readonly sameLines?: true;
}

interface Matcher {
  readonly why: string;
  readonly at: ReadonlySet<string> | undefined;
  readonly request: RegExp;
  readonly upstream: RegExp;
  readonly ilk: RegExp;
  readonly sameLines: boolean;
}

let matchers: readonly Matcher[] | undefined;

function readMatchers(): readonly Matcher[] {
  const file = join(process.cwd(), 'test/differential/differences.json');
  const differences: readonly Difference[] = JSON.parse(readFileSync(file, 'utf8'));
  const pattern = (text = '') => new RegExp(text, 's');
  return differences.map(({ why, at, request, upstream, ilk, sameLines }) => ({
    why,
    at: at && new Set(at),
    request: pattern(request),
    upstream: pattern(upstream),
    ilk: pattern(ilk),
    sameLines: sameLines === true,
  }));
}

/** Why an answer may differ from upstream's, as `differences.json` says; undefined where it may not. */
export function differenceReason(
  place: string,
  step: Step,
  { upstream, ilk }: { readonly upstream: string; readonly ilk: string },
): string | undefined {
  matchers ??= readMatchers();
  const request = `${step.method} ${step.path} ${step.type ?? ''} ${step.body ?? ''}`;
  return matchers.find(
    (one) =>
      (one.at?.has(place) ?? true) &&
      one.request.test(request) &&
      one.upstream.test(upstream) &&
      one.ilk.test(ilk) &&
      (!one.sameLines || sortedLines(upstream) === sortedLines(ilk)),
  )?.why;
}

/** The lines of a text in JSON. */
function sortedLines(answer: string): string {
  return answer
    .split(/\\n {2}|(?=",")/)
    .sort()
    .join('\n');
}
