import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CelIssues } from './ast/issue.ts';
import { compile } from './compile.ts';
import { UnusableProgram } from './interpreter/constants.ts';
import { storedExpressions } from './kubernetes-environments.ts';
import { declareSchema, type TestSchema } from './testing/schema-declaration.test-support.ts';
import { showValue } from './testing/show-value.test-support.ts';
import { formatType } from './types/type.ts';

/** The result of cel-go 0.29.2 in the environment of Kubernetes 1.37. */
interface Answer {
  readonly expr: string;
  /** Whether the expression uses `self`. */
  readonly overSelf: boolean;
  readonly issues?: string;
  readonly programError?: string;
  readonly type?: string;
  /** The estimate as strings: values up to 2^64 - 1. */
  readonly min?: string;
  readonly max?: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost?: number;
}

const file = new URL('./testing/go-answers.json', import.meta.url);
// The recorder writes the file in this format.
const { schema, self, answers } = JSON.parse(readFileSync(file, 'utf8')) as {
  schema: TestSchema;
  self: unknown;
  answers: Answer[];
};

const environment = storedExpressions();
const selfType = declareSchema(schema, 'selfType');

function ourAnswer(expr: string, overSelf: boolean): Answer {
  try {
    const compiled = compile(expr, environment, { variables: overSelf ? { self: selfType } : {} });
    const { cost, value, error } = compiled.program.interpret(overSelf ? { self } : {}, 1_000_000);
    const shown = error === undefined ? { value: showValue(value) } : { error: error.message };
    const [min, max] = [String(compiled.cost.min), String(compiled.cost.max)];
    return JSON.parse(
      JSON.stringify({ expr, overSelf, type: formatType(compiled.type), min, max, ...shown, cost }),
    ) as Answer;
  } catch (problem) {
    if (problem instanceof CelIssues) return { expr, overSelf, issues: problem.message };
    if (problem instanceof UnusableProgram) return { expr, overSelf, programError: problem.message };
    throw problem;
  }
}

describe('recorded from cel-go', () => {
  test.each(answers)('$expr', (answer) => {
    expect(ourAnswer(answer.expr, answer.overSelf)).toEqual(answer);
  });

  test.each(answers.filter(({ value, error }) => value !== undefined || error !== undefined))(
    'and generated code answers the same: $expr',
    ({ expr, overSelf, value, error, cost }) => {
      const { program } = compile(expr, environment, { variables: overSelf ? { self: selfType } : {} });
      const evaluation = program.evaluate(overSelf ? { self } : {});
      expect(evaluation.cost).toBe(cost);
      if (error === undefined) expect(showValue(evaluation.value)).toBe(value);
      else expect(evaluation.error?.message).toBe(error);
    },
  );
});
