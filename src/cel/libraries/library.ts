import type { FunctionCosts } from '../cost/function-costs.ts';
import type { FunctionDeclaration } from '../functions/function.ts';
import type { Macro } from '../parser/macro.ts';
import type { FindMessageType } from '../types/message-type.ts';
import type { Type } from '../types/type.ts';

/** A set of functions, macros and types for an environment. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Type names for expressions, as in `type(x) == net.IP`. */
  readonly types?: readonly Type[];
  /** Message types for expressions, as in `JSONPatch{op: "test"}`. */
  readonly messages?: FindMessageType;
  /** Costs of its functions, where they are not 1. */
  readonly costs?: FunctionCosts;
}
