/** An option of {@link startServer} that does not exist, or has a value that it cannot have. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** How a value stands in a message: short, also where it is large or refers to itself. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 100)}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return `'${String(value)}'`;
}

/**
 * As the command line says it of a flag.
 *
 * @example invalidOption('listen.port', 70_000, 'not a port.')
 *   // startServer: option 'listen.port' argument '70000' is invalid. not a port.
 */
export function invalidOption(option: string, value: unknown, reason: string): OptionError {
  return new OptionError(`startServer: option '${option}' argument ${shown(value)} is invalid. ${reason}`);
}
