import { iterationVariable, type Macro, MacroError } from '../macro.ts';

/** `list.map(x, f(x))`, or with a filter `list.map(x, p(x), f(x))`. */
function mapMacro(argCount: 2 | 3): Macro {
  return {
    name: 'map',
    argCount,
    member: true,
    expand(builder, args, range) {
      const [variable] = args;
      const filter = argCount === 3 ? args[1] : undefined;
      const transform = args[argCount - 1];
      if (variable === undefined || transform === undefined || range === undefined) return undefined;
      const iterVar = iterationVariable(variable, 'argument is not an identifier');
      if (iterVar instanceof MacroError) return iterVar;
      const init = builder.list();
      const condition = builder.constant(true);
      const append = builder.call('_+_', builder.accu(), builder.list(transform));
      const step = filter === undefined ? append : builder.call('_?_:_', filter, append, builder.accu());
      return builder.comprehension({ range, iterVar, init, condition, step, result: builder.accu() });
    },
  };
}

export const mapMacros: readonly Macro[] = [mapMacro(2), mapMacro(3)];
