import type { FunctionDeclaration } from '../functions/function.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import { addition } from './addition.ts';
import { arithmetic } from './arithmetic.ts';
import { containers } from './containers.ts';
import { conversions } from './conversions.ts';
import { logic } from './logic.ts';
import { ordering } from './ordering.ts';
import { stringTests } from './strings.ts';
import { time } from './time.ts';

/** The standard functions. */
export function standardFunctions(regexes: RegexCache): FunctionDeclaration[] {
  return [
    ...logic,
    addition,
    ...arithmetic,
    ...ordering,
    ...containers,
    ...conversions,
    ...stringTests(regexes),
    ...time,
  ];
}
