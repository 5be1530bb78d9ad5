/** A bug in Ilk: never the answer to anything a user sent. It ends as a 500 and a log line. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * States what the code relies on.
 *
 * @throws {InvariantError} when the condition does not hold.
 */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new InvariantError(`invariant broken: ${what}`);
}
