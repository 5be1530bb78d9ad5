/** Flags as Go programs take them: `--name=value`, `--name value`, `--name`; one dash is as good as two. */
export interface Flags {
  /** The values of a flag in their order; a bare flag says `true`. */
  all(name: string): readonly string[];
  /** The last value, as it is the one that counts. */
  last(name: string): string | undefined;
  /** The names of all flags that were given, each once, in their order. */
  readonly names: readonly string[];
}

/** Go programs take no next word as the value of a flag that says yes or no. */
interface FlagsOptions {
  readonly booleans: ReadonlySet<string>;
}

/** Reads a command line; what is no flag is left out. Names may be written with underscores. */
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
