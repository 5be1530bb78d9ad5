import type { Expr } from '../../ast/expression.ts';
import { iterationVariable, type Macro, type MacroBuilder, MacroError } from '../macro.ts';

/** How a quantifier folds: the parts of its comprehension around a predicate. */
interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** True for every element; as `&&` does, a false element outweighs errors in others. */
export function foldAll(builder: MacroBuilder, predicate: Expr): Fold {
  return {
    init: builder.constant(true),
    condition: builder.call('@not_strictly_false', builder.accu()),
    step: builder.call('_&&_', builder.accu(), predicate),
    result: builder.accu(),
  };
}

/** True for some element; as `||` does, a true element outweighs errors in others. */
export function foldExists(builder: MacroBuilder, predicate: Expr): Fold {
  return {
    init: builder.constant(false),
    condition: builder.call('@not_strictly_false', builder.call('!_', builder.accu())),
    step: builder.call('_||_', builder.accu(), predicate),
    result: builder.accu(),
  };
}

/** True for exactly one element; errors are not absorbed. */
export function foldExistsOne(builder: MacroBuilder, predicate: Expr): Fold {
  return {
    init: builder.constant(0),
    condition: builder.constant(true),
    step: builder.call(
      '_?_:_',
      predicate,
      builder.call('_+_', builder.accu(), builder.constant(1)),
      builder.accu(),
    ),
    result: builder.call('_==_', builder.accu(), builder.constant(1)),
  };
}

function quantifier(name: string, fold: (builder: MacroBuilder, predicate: Expr) => Fold): Macro {
  return {
    name,
    argCount: 2,
    member: true,
    expand(builder, [variable, predicate], range) {
      if (variable === undefined || predicate === undefined || range === undefined) return undefined;
      const iterVar = iterationVariable(variable, 'argument must be a simple name');
      if (iterVar instanceof MacroError) return iterVar;
      return builder.comprehension({ range, iterVar, ...fold(builder, predicate) });
    },
  };
}

export const allMacro = quantifier('all', foldAll);
export const existsMacro = quantifier('exists', foldExists);
/** `existsOne`, which cel-go's parser knows as well, is not among the macros of its environments. */
export const existsOneMacro = quantifier('exists_one', foldExistsOne);
