/** The evaluation was told to stop. The text is cel-go's. */
export class Interrupted extends Error {
  constructor() {
    super('operation interrupted');
    this.name = 'Interrupted';
  }
}

/** Iterations of a loop between two checks for interruption. */
export const turnsPerCheck = 16;
