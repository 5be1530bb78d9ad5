/** An expression creates a value above the size limits, which costs do not prevent. */
export class ValueTooLarge extends Error {
  constructor() {
    super('operation cancelled: a value became too large');
    this.name = 'ValueTooLarge';
  }
}

/** The maximum length of a string in UTF-16 units. */
export const maxTextLength = 1 << 26;
/** The maximum number of values in a list or map; nested values count as often as they occur. */
export const maxWeight = 5_000_000;

/** Throws ValueTooLarge above a limit. */
export function requireAtMost(size: number, limit: number): void {
  if (size > limit) throw new ValueTooLarge();
}
