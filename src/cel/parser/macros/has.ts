import { type Macro, MacroError } from '../macro.ts';

/** `has(a.b)`: whether the field is present. */
export const hasMacro: Macro = {
  name: 'has',
  argCount: 1,
  member: false,
  expand(builder, [arg]) {
    if (arg === undefined) return undefined;
    if (arg.kind !== 'select') return new MacroError(arg.id, 'invalid argument to has() macro');
    return builder.presenceTest(arg.operand, arg.field);
  },
};
