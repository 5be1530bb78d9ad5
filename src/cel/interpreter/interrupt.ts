/** The evaluation was interrupted. The message is cel-go's. */
export class Interrupted extends Error {
  constructor() {
    super('operation interrupted');
    this.name = 'Interrupted';
  }
}

/** Iterations of a loop between two checks for interruption. */
export const turnsPerCheck = 16;
