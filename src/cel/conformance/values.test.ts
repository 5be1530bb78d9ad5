import { getConformanceSuite, type IncrementalTest } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, test } from 'vitest';
import { CelIssues } from '../ast/issue.ts';
import { type Compiled, compile } from '../compile.ts';
import { Environment } from '../environment.ts';
import { UnusableProgram } from '../interpreter/constants.ts';
import { extendedLists } from '../libraries/lists-extended.ts';
import { optionalLibrary } from '../libraries/optional.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { stringsLibrary } from '../libraries/strings/index.ts';
import { twoVariableComprehensions } from '../libraries/two-variable-comprehensions.ts';
import type { Bindings, Evaluation } from '../program.ts';
import { explainTrace } from '../trace/explain-trace.ts';
import { formatType } from '../types/type.ts';
import { CelDouble } from '../values/double.ts';
import { valuesEqual } from '../values/equality.ts';
import { CelList } from '../values/list.ts';
import { typeNameOf } from '../values/type-name.ts';
import type { Result, Value } from '../values/value.ts';
import { testsOf, typeFromSpec, fromSpec } from './spec-values.test-support.ts';
import { leftOut } from './left-out.test-support.ts';

const libraries = [optionalLibrary, stringsLibrary(2), setsLibrary, twoVariableComprehensions, extendedLists];

function environmentFor(container: string): Environment {
  return new Environment({ libraries, optionalSyntax: true, crossTypeComparisons: true, container });
}

const plain = environmentFor('');

/** Values are the same if they are equal and of one type; NaN is the same as NaN. */
function same(actual: Result | undefined, expected: Value): boolean {
  if (actual instanceof CelDouble && expected instanceof CelDouble && Number.isNaN(expected.value))
    return Number.isNaN(actual.value);
  if (actual instanceof CelList && expected instanceof CelList) {
    return (
      actual.size === expected.size &&
      Array.from({ length: actual.size }, (_, i) => i).every((i) => {
        const wanted = expected.at(i);
        return !(wanted instanceof Error) && same(actual.at(i), wanted as Value); // an ArrayList contains only values
      })
    );
  }
  return (
    actual !== undefined &&
    typeNameOf(actual as Value) === typeNameOf(expected) &&
    valuesEqual(actual as Value, expected) === true
  );
}

function run({ original }: IncrementalTest): { value?: Value | undefined; error?: string; type?: string } {
  const environment = original.container === '' ? plain : environmentFor(original.container);
  const variables = Object.fromEntries(
    original.typeEnv.flatMap(({ name, declKind }) =>
      declKind.case === 'ident' ? [[name, typeFromSpec(declKind.value.type)]] : [],
    ),
  );
  const bindings = Object.fromEntries(
    Object.entries(original.bindings).map(([name, { kind }]) => [
      name,
      kind.case === 'value' ? fromSpec(kind.value) : null,
    ]),
  );
  for (const name of Object.keys(bindings))
    variables[name] ??= typeFromSpec({ typeKind: { case: 'dyn', value: {} } } as never); // undeclared bindings are dyn
  try {
    const { program, type, ast } = compile(original.expr, environment, { variables });
    if (original.checkOnly) return { type: formatType(type) };
    const evaluation = program.evaluate(bindings);
    const { value, error } = evaluation;
    expectTraced({ program, ast }, bindings, evaluation);
    return error === undefined ? { value, type: formatType(type) } : { error: error.message };
  } catch (error) {
    if (error instanceof CelIssues || error instanceof UnusableProgram) return { error: error.message };
    throw error;
  }
}

/** Traced evaluation must agree with generated code, including costs, and the trace must be printable. */
function expectTraced(
  { program, ast }: Pick<Compiled, 'program' | 'ast'>,
  bindings: Bindings,
  evaluation: Evaluation,
) {
  const { evaluation: traced, root } = program.trace(bindings, { nodesMax: 1_000 });
  expect({ error: traced.error, cost: traced.cost }).toEqual({
    error: evaluation.error,
    cost: evaluation.cost,
  });
  if (evaluation.value !== undefined) expect(same(traced.value, evaluation.value)).toBe(true);
  if (root !== undefined) explainTrace(root, ast);
}

const all = [...testsOf(getConformanceSuite())].map(({ name, test: spec }) => ({
  name: name.replace('conformance/', ''),
  spec,
}));

describe('features that Kubernetes does not enable', () => {
  test('every reason names tests that exist', () => {
    const unused = leftOut.filter(({ is }) => !all.some(({ name, spec }) => is(name, spec.original)));
    expect(unused).toEqual([]);
  });
});

describe('the conformance suite of cel-spec', () => {
  const kept = all.filter(({ name, spec }) => !leftOut.some(({ is }) => is(name, spec.original)));

  test.each(kept)('$name', ({ spec }) => {
    const { resultMatcher } = spec.original;
    const { value, error, type } = run(spec);
    switch (resultMatcher.case) {
      case 'evalError':
        expect(error).toBeTypeOf('string');
        break;
      case 'value':
        expect(error).toBeUndefined();
        expect({ value, same: same(value, fromSpec(resultMatcher.value)) }).toEqual({ value, same: true });
        break;
      case 'typedResult':
        expect(error).toBeUndefined();
        expect(type).toBe(formatType(typeFromSpec(resultMatcher.value.deducedType).type));
        if (resultMatcher.value.result !== undefined) {
          expect(same(value, fromSpec(resultMatcher.value.result))).toBe(true);
        }
        break;
      default:
        expect(value).toBe(true);
    }
  });
});
