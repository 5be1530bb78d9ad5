/** An evaluation error with cel-go's message. A value, not an exception. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** cel-go's error for a function or operator without a matching overload. */
export const noSuchOverload = new CelError('no such overload');

/** True for an error value. */
export function isError(value: unknown): value is CelError {
  return value instanceof CelError;
}
