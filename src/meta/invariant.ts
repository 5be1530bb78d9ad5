/** A bug in Ilk, never an answer to user input. It becomes a 500 and a log line. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Asserts a condition that the code relies on.
 *
 * @throws {InvariantError} if the condition does not hold.
 */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new InvariantError(`invariant broken: ${what}`);
}
