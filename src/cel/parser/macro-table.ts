import type { Macro } from './macro.ts';

/** Macros by the way they are called; see {@link macroTable}. */
export type MacroTable = ReadonlyMap<string, Macro>;

/** The way that a macro is called. */
type Form = Pick<Macro, 'name' | 'argCount' | 'member'>;

/** Macros as the parser looks them up; a later one replaces an earlier one of the same form. */
export function macroTable(macros: Iterable<Macro>): MacroTable {
  return new Map(Array.from(macros, (macro) => [keyOf(macro), macro]));
}

/** The macro of a call, or undefined where it is an ordinary one. */
export function findMacro(table: MacroTable, form: Form): Macro | undefined {
  return table.get(keyOf(form));
}

function keyOf({ name, argCount, member }: Form): string {
  return `${name}:${argCount}:${member}`;
}
