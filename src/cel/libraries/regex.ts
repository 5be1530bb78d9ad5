import { actualSize } from '../cost/actual-size.ts';
import { regexFactor, stringFactor } from '../cost/constants.ts';
import type { CallCost } from '../cost/function-costs.ts';
import { add, multiply, one, scale } from '../cost/size.ts';
import { memberOverload } from '../functions/function.ts';
import { int, string } from '../functions/param.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import { listType, stringType } from '../types/type.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { ArrayList } from '../values/list.ts';
import type { CelInt, Result } from '../values/value.ts';
import type { Library } from './library.ts';

/** The text is scanned once per part of the pattern; the result is at most as large as the text. */
const findCost: CallCost = {
  estimate({ target, args: [pattern], sizeOf }) {
    if (target === undefined || pattern === undefined) return undefined;
    const size = sizeOf(target);
    const cost = multiply(scale(add(size, one), stringFactor), scale(sizeOf(pattern), regexFactor));
    return { cost, resultSize: { min: 0n, max: size.max } };
  },
  actual: ({ args: [text = null, pattern = null] }) =>
    Math.ceil((1 + actualSize(text)) * stringFactor) * Math.ceil(actualSize(pattern) * regexFactor),
};

/** Kubernetes' functions `find` and `findAll`. */
export function regexLibrary(regexes: RegexCache): Library {
  const compiled = (pattern: string) => {
    const regex = regexes.get(pattern);
    return isError(regex) ? new CelError(`Illegal regex: ${regex.message}`) : regex;
  };
  const find = (text: string, pattern: string): Result => {
    const regex = compiled(pattern);
    if (isError(regex)) return regex;
    const match = regex.find(text);
    return match === undefined ? '' : text.slice(match.start, match.end);
  };
  const findAll = (text: string, pattern: string, limit: CelInt): Result => {
    const regex = compiled(pattern);
    if (isError(regex)) return regex;
    return new ArrayList(regex.findAll(text, Number(limit)).map(({ start, end }) => text.slice(start, end)));
  };
  const strings = listType(stringType);
  return {
    name: 'kubernetes.regex',
    functions: [
      { name: 'find', overloads: [memberOverload('string_find_string', [string, string], stringType, find)] },
      {
        name: 'findAll',
        overloads: [
          memberOverload('string_find_all_string', [string, string], strings, (text, pattern) =>
            findAll(text, pattern, -1),
          ),
          memberOverload('string_find_all_string_int', [string, string, int], strings, findAll),
        ],
      },
    ],
    costs: { functions: { find: findCost, findAll: findCost } },
  };
}
