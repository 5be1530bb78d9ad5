import type { Macro } from '../macro.ts';
import { filterMacro } from './filter.ts';
import { hasMacro } from './has.ts';
import { mapMacros } from './map.ts';
import { allMacro, existsMacro, existsOneMacro } from './quantifiers.ts';

/** The standard macros; libraries add more. */
export const standardMacros: readonly Macro[] = [
  hasMacro,
  allMacro,
  existsMacro,
  existsOneMacro,
  ...mapMacros,
  filterMacro,
];
