import type { FunctionCosts } from '../cost/function-costs.ts';
import type { FunctionDeclaration } from '../functions/function.ts';
import type { Macro } from '../parser/macro.ts';
import type { FindMessageType } from '../types/message-type.ts';
import type { Type } from '../types/type.ts';

/** A set of functions, macros and types that an environment can take in. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions can name, as in `type(x) == net.IP`. */
  readonly types?: readonly Type[];
  /** Types that expressions make values of, as in `JSONPatch{op: "test"}`. */
  readonly messages?: FindMessageType;
  /** Costs of its functions where they are not 1. */
  readonly costs?: FunctionCosts;
}
