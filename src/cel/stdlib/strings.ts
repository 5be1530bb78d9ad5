import { type FunctionDeclaration, globalOverload, memberOverload } from '../functions/function.ts';
import { string } from '../functions/param.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import { boolType } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import type { Result } from '../values/value.ts';

/** The standard string predicates. */
export function stringTests(regexes: RegexCache): FunctionDeclaration[] {
  const matches = (text: string, pattern: string): Result => {
    const regex = regexes.get(pattern);
    return isError(regex) ? regex : regex.test(text);
  };
  const test = (
    name: string,
    id: string,
    holds: (text: string, part: string) => boolean,
  ): FunctionDeclaration => ({
    name,
    mismatch: 'nothing',
    overloads: [memberOverload(id, [string, string], boolType, holds)],
  });
  return [
    test('contains', 'contains_string', (text, part) => text.includes(part)),
    test('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
    test('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
    {
      name: 'matches',
      mismatch: 'name',
      overloads: [
        globalOverload('matches', [string, string], boolType, matches),
        memberOverload('matches_string', [string, string], boolType, matches),
      ],
    },
  ];
}
