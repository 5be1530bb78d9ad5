import type { Expr } from '../../ast/expression.ts';
import { iterationVariable, type Macro, type MacroBuilder, MacroError } from '../macro.ts';

/** The parts of a quantifier's comprehension, for a predicate. */
interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** True for every element; like `&&`, a false element wins over errors in others. */
export function foldAll(builder: MacroBuilder, predicate: Expr): Fold {
  return {
    init: builder.constant(true),
    condition: builder.call('@not_strictly_false', builder.accu()),
    step: builder.call('_&&_', builder.accu(), predicate),
    result: builder.accu(),
  };
}

/** True for some element; like `||`, a true element wins over errors in others. */
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
/** cel-go's parser also supports `existsOne`, but its environments do not include it. */
export const existsOneMacro = quantifier('exists_one', foldExistsOne);
