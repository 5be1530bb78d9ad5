import type { Macro } from './macro.ts';

/** Macros by call form; see {@link macroTable}. */
export type MacroTable = ReadonlyMap<string, Macro>;

/** The call form of a macro. */
type Form = Pick<Macro, 'name' | 'argCount' | 'member'>;

/** Indexes macros for the parser; a later one replaces an earlier one of the same form. */
export function macroTable(macros: Iterable<Macro>): MacroTable {
  return new Map(Array.from(macros, (macro) => [keyOf(macro), macro]));
}

/** The macro of a call; undefined for an ordinary call. */
export function findMacro(table: MacroTable, form: Form): Macro | undefined {
  return table.get(keyOf(form));
}

function keyOf({ name, argCount, member }: Form): string {
  return `${name}:${argCount}:${member}`;
}
