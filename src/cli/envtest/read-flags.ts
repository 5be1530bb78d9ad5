/** Flags in the syntax of Go programs: `--name=value`, `--name value`, `--name`, with one or two dashes. */
export interface Flags {
  /** The values of a flag in order; a flag without a value is `true`. */
  all(name: string): readonly string[];
  /** The last value, which applies. */
  last(name: string): string | undefined;
  /** The names of all given flags, in order, without duplicates. */
  readonly names: readonly string[];
}

/** Boolean flags: the next word is never their value, as in Go. */
interface FlagsOptions {
  readonly booleans: ReadonlySet<string>;
}

/** Parses a command line; other words are skipped. Names may contain underscores. */
export function readFlags(args: readonly string[], { booleans }: FlagsOptions): Flags {
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index += 1) {
    const [, written = '', , given] = /^--?([A-Za-z][\w.-]*)(=(.*))?$/s.exec(args[index] ?? '') ?? [];
    if (written === '') continue;
    const name = written.replaceAll('_', '-');
    const next = args[index + 1];
    const takesNext =
      given === undefined && !booleans.has(name) && next !== undefined && !next.startsWith('-');
    if (takesNext) index += 1;
    const value = given ?? (takesNext ? next : 'true');
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return {
    all: (name) => values.get(name) ?? [],
    last: (name) => values.get(name)?.at(-1),
    names: [...values.keys()],
  };
}
