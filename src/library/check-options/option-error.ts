/** An unknown option of {@link startServer}, or an invalid value. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** The value in an error message: shortened if it is large or circular. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 100)}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return `'${String(value)}'`;
}

/**
 * Phrased like the message about a flag.
 *
 * @example invalidOption('listen.port', 70_000, 'not a port.')
 *   // startServer: option 'listen.port' argument '70000' is invalid. not a port.
 */
export function invalidOption(option: string, value: unknown, reason: string): OptionError {
  // The options themselves have no name.
  const named = option === '' ? '' : `option '${option}' `;
  return new OptionError(`startServer: ${named}argument ${shown(value)} is invalid. ${reason}`);
}
