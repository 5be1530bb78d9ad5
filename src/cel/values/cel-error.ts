/** An error that arose while an expression was evaluated, with cel-go's text. A value, not an exception. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** cel-go's answer to a function or operator that does not take these operands. */
export const noSuchOverload = new CelError('no such overload');

/** True where an evaluation failed. */
export function isError(value: unknown): value is CelError {
  return value instanceof CelError;
}
