import { describe, expect, test } from 'vitest';
import type { Expr } from '../ast/expression.ts';
import { childrenOf } from '../ast/expression.ts';
import { CelIssues } from '../ast/issue.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { type Compiled, compile } from '../compile.ts';
import { UnusableProgram } from '../interpreter/constants.ts';
import { storedExpressions } from '../kubernetes-environments.ts';
import type { Evaluation } from '../program.ts';
import { randomSelf, randomSelfType } from '../testing/random-data.test-support.ts';
import { RandomExpressions, seeded } from '../testing/random-expressions.test-support.ts';
import { showValue } from '../testing/show-value.test-support.ts';
import { valuesEqual } from '../values/equality.ts';
import { CelOpaque } from '../values/opaque.ts';

const environment = storedExpressions();
const variables = { self: randomSelfType };
const expressionsPerSeed = 400;
const objectsPerExpression = 4;

function shown({ value, error, cost }: Evaluation): string {
  return error === undefined
    ? `${showValue(value)} for ${cost}`
    : `${error.kind} ${error.message} for ${cost}`;
}

/** Undefined for a well-typed expression with an invalid literal: a bad pattern, `int('a')`. */
function compiledOf(source: string): Compiled | undefined {
  try {
    return compile(source, environment, { variables });
  } catch (error) {
    if (error instanceof UnusableProgram) return undefined;
    if (
      error instanceof CelIssues &&
      /invalid \w+ argument|string\.format|during formatting|expected type|index \d+ out of range/.test(
        error.message,
      )
    )
      return undefined;
    throw error;
  }
}

/** The overloads that an expression calls. */
function overloadsIn(expr: Expr, ast: CheckedAst): string[] {
  return [
    ...ast.overloads(expr).map(({ id }) => id),
    ...childrenOf(expr).flatMap((child) => overloadsIn(child, ast)),
  ];
}

describe('random expressions', () => {
  const called = new Set<string>();

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'generated code and interpreter agree, costs included: seed %d',
    (seed) => {
      const random = seeded(seed);
      const expressions = new RandomExpressions(environment, random);
      const counts = { compiled: 0, generated: 0, evaluated: 0, errors: 0 };
      for (let round = 0; round < expressionsPerSeed; round++) {
        const source = expressions.next(1 + Math.floor(random() * 4));
        const compiled = compiledOf(source);
        if (compiled === undefined) continue;
        const { program, ast } = compiled;
        counts.compiled++;
        if (program.isGenerated) counts.generated++;
        for (const id of overloadsIn(ast.expr, ast)) called.add(id);
        for (let object = 0; object < objectsPerExpression; object++) {
          const bindings = { self: randomSelf(random) };
          const costLimit = random() < 0.2 ? Math.floor(random() * 40) : 1_000_000;
          const ours = program.evaluate(bindings, { costLimit });
          const decided = program.interpret(bindings, costLimit);
          expect({ source, answer: shown(ours) }).toEqual({ source, answer: shown(decided) });
          if (ours.value instanceof CelOpaque && decided.value !== undefined)
            expect({ source, same: valuesEqual(ours.value, decided.value) }).toEqual({ source, same: true });
          counts.evaluated++;
          if (ours.error !== undefined) counts.errors++;
        }
      }
      // The test is only meaningful if most expressions compile, have code, and do not merely fail.
      expect(counts.compiled).toBeGreaterThan(expressionsPerSeed * 0.6);
      expect(counts.generated).toBeGreaterThan(counts.compiled * 0.7);
      expect(counts.errors).toBeLessThan(counts.evaluated * 0.5);
    },
  );

  test('the expressions call every overload of every library', () => {
    const all = [...environment.functions.values()].flatMap(({ overloads }) => overloads);
    const authorizing = all.filter(({ args, result }) =>
      [...args, result].some(({ name }) => name.startsWith('kubernetes.authorization.')),
    );
    const uncalled = all.filter((overload) => !called.has(overload.id) && !authorizing.includes(overload));
    expect(uncalled.map(({ id }) => id)).toEqual([]);
  });
});
