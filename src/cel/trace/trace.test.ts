import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CelIssues } from '../ast/issue.ts';
import { type Compiled, compile } from '../compile.ts';
import { UnusableProgram } from '../interpreter/constants.ts';
import { storedExpressions } from '../kubernetes-environments.ts';
import type { Evaluation } from '../program.ts';
import { randomSelf, randomSelfType } from '../testing/random-data.test-support.ts';
import { RandomExpressions, seeded } from '../testing/random-expressions.test-support.ts';
import { declareSchema, type TestSchema } from '../testing/schema-declaration.test-support.ts';
import { showValue } from '../testing/show-value.test-support.ts';
import { declare, type DeclaredType } from '../types/declared-type.ts';
import { type ExplainedNode, explainTrace } from './explain-trace.ts';

const environment = storedExpressions();

function shown({ value, error, cost }: Evaluation): string {
  return error === undefined
    ? `${showValue(value)} for ${cost}`
    : `${error.kind} ${error.message} for ${cost}`;
}

function compiledOf(source: string, self: DeclaredType | undefined): Compiled | undefined {
  try {
    return compile(source, environment, { variables: self === undefined ? {} : { self } });
  } catch (error) {
    if (error instanceof UnusableProgram || error instanceof CelIssues) return undefined;
    throw error;
  }
}

/** One line per part, indented by depth. */
function lines({ text, value, error, cost, children }: ExplainedNode, indent = ''): string[] {
  const said = error === undefined ? value : `error: ${error}`;
  const line = `${indent}${text}${said === '' ? '' : ` → ${said}`} (${cost})`;
  return [line, ...children.flatMap((child) => lines(child, `${indent}  `))];
}

function explained(source: string, type: DeclaredType, self: unknown, nodesMax = 1_000): string {
  const { program, ast } = compile(source, environment, { variables: { self: type } });
  const { root, leftOut } = program.trace({ self }, { nodesMax });
  const text = root === undefined ? '' : lines(explainTrace(root, ast)).join('\n');
  return leftOut === 0 ? text : `${text}\n${leftOut} left out`;
}

const text = declare.string();
const pod = declare.object('pod', [
  ['name', { property: 'name', type: text }],
  ['ports', { property: 'ports', type: declare.list(declare.int()) }],
]);
const self = { name: 'web', ports: [80, 443, 7] };

describe('the parts of an expression', () => {
  test('have values and costs; skipped parts are missing', () => {
    expect(explained("self.name == 'db' && self.ports.size() > 1", pod, self)).toBe(
      `self.name == "db" && self.ports.size() > 1 → false (3)
  self.name == "db" → false (3)
    self.name → "web" (2)
      self → {"name": "web", "ports": [80, 443, 7]} (0)`,
    );
  });

  test('of a loop are its range and its iterations', () => {
    expect(explained('self.ports.all(p, p > 79 || p == 7)', pod, self)).toBe(
      `self.ports.all(p, …) → true (20)
  self.ports → [80, 443, 7] (2)
    self → {"name": "web", "ports": [80, 443, 7]} (0)
  p = 80 (3)
    p > 79 || p == 7 → true (2)
      p > 79 → true (2)
        p → 80 (1)
  p = 443 (3)
    p > 79 || p == 7 → true (2)
      p > 79 → true (2)
        p → 443 (1)
  p = 7 (5)
    p > 79 || p == 7 → true (4)
      p > 79 → false (2)
        p → 7 (1)
      p == 7 → true (2)
        p → 7 (1)`,
    );
  });

  test('of failing expressions are errors', () => {
    expect(explained('self.ports[5] == 1', pod, self)).toContain(
      'self.ports[5] → error: index out of bounds: 5',
    );
  });
});

test('are limited, without changing the value', () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const { program } = compile('self.all(x, x >= 0)', environment, {
    variables: { self: declare.list(declare.int()) },
  });
  const { root, leftOut, evaluation } = program.trace({ self: numbers }, { nodesMax: 50 });
  expect(root?.children.length).toBeLessThan(50);
  expect(leftOut).toBeGreaterThan(4_000);
  expect(evaluation).toEqual(program.evaluate({ self: numbers }));
});

interface Answer {
  readonly expr: string;
  readonly overSelf: boolean;
}
const file = new URL('../testing/go-answers.json', import.meta.url);
// The recorder writes the file in this format.
const go = JSON.parse(readFileSync(file, 'utf8')) as {
  schema: TestSchema;
  self: unknown;
  answers: readonly Answer[];
};

describe('a traced evaluation equals the compiled one, including costs and errors', () => {
  test('for the expressions recorded from cel-go', () => {
    const type = declareSchema(go.schema, 'selfType');
    let traced = 0;
    for (const { expr, overSelf } of go.answers) {
      const compiled = compiledOf(expr, overSelf ? type : undefined);
      if (compiled === undefined) continue;
      const bindings = overSelf ? { self: go.self } : {};
      const { evaluation, root } = compiled.program.trace(bindings, { nodesMax: 500 });
      const evaluated = compiled.program.evaluate(bindings);
      expect({ expr, answer: shown(evaluation) }).toEqual({ expr, answer: shown(evaluated) });
      if (root !== undefined) explainTrace(root, compiled.ast);
      if (root?.result !== undefined && evaluated.value !== undefined)
        expect(showValue(root.result)).toBe(showValue(evaluated.value));
      traced += 1;
    }
    expect(traced).toBeGreaterThan(go.answers.length / 2);
  });

  test.each([1, 2])('for random expressions: seed %d', (seed) => {
    const random = seeded(seed);
    const expressions = new RandomExpressions(environment, random);
    let traced = 0;
    for (let round = 0; round < 300; round += 1) {
      const source = expressions.next(1 + Math.floor(random() * 4));
      const compiled = compiledOf(source, randomSelfType);
      if (compiled === undefined) continue;
      const bindings = { self: randomSelf(random) };
      const costLimit = random() < 0.2 ? Math.floor(random() * 40) : 1_000_000;
      const { evaluation, root } = compiled.program.trace(bindings, { costLimit, nodesMax: 500 });
      const evaluated = compiled.program.evaluate(bindings, { costLimit });
      expect({ source, answer: shown(evaluation) }).toEqual({ source, answer: shown(evaluated) });
      if (root !== undefined) lines(explainTrace(root, compiled.ast));
      traced += 1;
    }
    expect(traced).toBeGreaterThan(150);
  });
});
