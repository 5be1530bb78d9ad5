/** The evaluation was told to stop. The text is cel-go's. */
export class Interrupted extends Error {
  constructor() {
    super('operation interrupted');
    this.name = 'Interrupted';
  }
}

/** How many turns a loop makes before it asks again whether to go on. */
export const turnsPerCheck = 16;
