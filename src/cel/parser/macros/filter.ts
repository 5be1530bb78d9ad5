import { iterationVariable, type Macro, MacroError } from '../macro.ts';

/** `list.filter(x, p(x))`: the elements that satisfy the predicate. */
export const filterMacro: Macro = {
  name: 'filter',
  argCount: 2,
  member: true,
  expand(builder, [variable, predicate], range) {
    if (variable === undefined || predicate === undefined || range === undefined) return undefined;
    const iterVar = iterationVariable(variable, 'argument is not an identifier');
    if (iterVar instanceof MacroError) return iterVar;
    const init = builder.list();
    const condition = builder.constant(true);
    const append = builder.call('_+_', builder.accu(), builder.list(variable));
    const step = builder.call('_?_:_', predicate, append, builder.accu());
    return builder.comprehension({ range, iterVar, init, condition, step, result: builder.accu() });
  },
};
