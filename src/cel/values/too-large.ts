/** An expression makes a value so large that nothing good can come of it, cheap as it may be by its cost. */
export class ValueTooLarge extends Error {
  constructor() {
    super('operation cancelled: a value became too large');
    this.name = 'ValueTooLarge';
  }
}

/** UTF-16 units in one text. */
export const maxTextLength = 1 << 26;
/** Values in one list or map, those within its own lists and maps counted as often as they occur. */
export const maxWeight = 5_000_000;

/** Throws ValueTooLarge above a limit. */
export function requireAtMost(size: number, limit: number): void {
  if (size > limit) throw new ValueTooLarge();
}
