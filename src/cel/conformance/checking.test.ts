import { getCheckingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, test } from 'vitest';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { Declarations } from '../checker/declarations.ts';
import { Environment } from '../environment.ts';
import { debugString } from '../testing/debug-string.test-support.ts';
import { declare, type DeclaredType } from '../types/declared-type.ts';
import { formatType } from '../types/type.ts';

const environment = new Environment({ crossTypeComparisons: true });

const scalars: Record<string, DeclaredType> = {
  int: declare.int(),
  uint: declare.uint(),
  double: declare.double(),
  string: declare.string(),
  bool: declare.bool(),
  bytes: declare.bytes(),
  dyn: declare.dyn(),
  null: declare.null(),
  timestamp: declare.timestamp(),
  duration: declare.duration(),
};

/** Parses a type as error messages print it. */
function typeFrom(text: string): DeclaredType | undefined {
  const list = /^list\((.*)\)$/.exec(text)?.[1];
  if (list !== undefined) {
    const items = typeFrom(list);
    return items && declare.list(items);
  }
  const [, key, value] = /^map\(([^,]*), (.*)\)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) return scalars[text];
  const keys = typeFrom(key);
  const values = typeFrom(value);
  return keys && values && declare.map(values, { keys });
}

/** The variables in a checked tree: the tests only state the checked tree, not the declarations. */
function variablesIn(checkedAst: string): Record<string, DeclaredType> | undefined {
  const variables: Record<string, DeclaredType> = {};
  for (const [, name = '', type = ''] of checkedAst.matchAll(
    /(?<![\w.@])([a-z_][\w.]*)~([\w(), .]+?)\^\1(?![\w])/g,
  )) {
    const declared = typeFrom(type);
    if (declared === undefined) return undefined;
    variables[name] = declared;
  }
  return variables;
}

/** cel-go prints each node's type behind it, and the referents of names and calls. */
function adorned(checked: CheckedAst): string {
  return debugString(checked.expr, (expr) => {
    if (expr === undefined) return '';
    const reference = checked.reference(expr);
    const target =
      reference?.kind === 'ident' ? reference.name : reference?.overloads.map(({ id }) => id).join('|');
    return `~${formatType(checked.typeOf(expr))}${target === undefined ? '' : `^${target}`}`;
  });
}

/** Why a test is skipped. */
function reasonToLeaveOut(expr: string, checkedAst: string | undefined): string | undefined {
  if (checkedAst === undefined) return 'expects an error over declarations that the data does not tell';
  if (/TestAllTypes|google\.|wrapper\(|\bany\b|Proto|x\.y|\bmsg\b/.test(expr + checkedAst))
    return 'protobuf messages';
  if (
    /myfun|encode\(|lists\.|fg_s|fi_s_s|\.\?|\[\?|optional|set\(|vector|!error!|^~|abstract|_var/.test(
      expr + checkedAst,
    )
  )
    return 'functions and types that the test declares';
  if (/__result__/.test(checkedAst)) return 'the name of the accumulator before it was hidden';
  return variablesIn(checkedAst) === undefined ? 'types that the test declares' : undefined;
}

describe('cel-go tests of the checker', () => {
  const usable = getCheckingSuite().tests.filter(
    ({ original, checkedAst }) => reasonToLeaveOut(original.expr, checkedAst) === undefined,
  );

  test('most tests with a result are usable', () => {
    expect(usable.length).toBeGreaterThan(40);
  });

  test.each(usable)('$name', ({ original, checkedAst = '', type }) => {
    const declarations = new Declarations(Object.entries(variablesIn(checkedAst) ?? {}));
    const checked = environment.check(environment.parse(original.expr), declarations);
    expect(formatType(checked.type)).toBe(type);
    expect(adorned(checked)).toBe(checkedAst);
  });
});
