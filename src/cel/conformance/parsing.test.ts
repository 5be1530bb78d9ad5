import { getComprehensionSuite, getParsingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, test } from 'vitest';
import type { Expr } from '../ast/expression.ts';
import { existsOneMacro } from '../parser/macros/quantifiers.ts';
import { standardMacros } from '../parser/macros/standard.ts';
import { macroTable } from '../parser/macro-table.ts';
import { parseExpression } from '../parser/parser.ts';
import { debugString } from '../testing/debug-string.test-support.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { isInt } from '../values/int.ts';
import { CelUint } from '../values/uint.ts';

/** cel-go's names of node kinds, which its tests print behind each node. */
function kindOf(expr: Expr | undefined, what: 'expr' | 'entry' | 'field'): string {
  if (expr === undefined)
    return what === 'entry' ? '^#*expr.Expr_CreateStruct_Entry#' : '^#*expr.Expr_CreateStruct_Entry#';
  return `^#*expr.${expr.kind === 'const' ? constantKind(expr) : nodeKinds[expr.kind]}#`;
}

const nodeKinds = {
  ident: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  comprehension: 'Expr_ComprehensionExpr',
} as const;

function constantKind({ value }: Expr & { kind: 'const' }): string {
  if (value === null) return 'Constant_NullValue';
  if (typeof value === 'boolean') return 'Constant_BoolValue';
  if (typeof value === 'string') return 'Constant_StringValue';
  if (isInt(value)) return 'Constant_Int64Value';
  if (value instanceof CelUint) return 'Constant_Uint64Value';
  if (value instanceof CelDouble) return 'Constant_DoubleValue';
  return value instanceof CelBytes ? 'Constant_BytesValue' : '?';
}

const skipped: Record<string, string> = {};

/** cel-go's parser tests run with a low nesting limit, and with a macro that its environments do not have. */
const options = {
  macros: macroTable([...standardMacros, { ...existsOneMacro, name: 'existsOne' }]),
  optionalSyntax: false,
  escapedIdentifiers: false,
  recursionDepth: 32,
};

function messageOf(source: string): string {
  try {
    parseExpression(source, options);
    return 'no error';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe.each([getParsingSuite(), getComprehensionSuite()])('cel-go tests of $name', (suite) => {
  test.each(suite.tests.filter(({ original }) => skipped[original.expr] === undefined))(
    '$name',
    ({ original, ast, error }) => {
      if (ast === undefined) {
        // The tests leave the source name empty, ours is `<input>`.
        const expected = error?.replaceAll('ERROR: :', 'ERROR: <input>:') ?? '';
        const [first = ''] = expected.split('\nERROR');
        // The tests also set low limits on error recovery, which truncate the list of errors.
        if (/limit exceeded: (4|32)\n|unsupported/.test(expected))
          expect(messageOf(original.expr)).not.toBe('no error');
        else expect(messageOf(original.expr).slice(0, first.length)).toBe(first);
        if (!/limit exceeded: 4|limit exceeded: 32\n|unsupported/.test(expected))
          expect(messageOf(original.expr)).toBe(expected);
        return;
      }
      expect(debugString(parseExpression(original.expr, options).expr, kindOf)).toBe(ast);
    },
  );
});
