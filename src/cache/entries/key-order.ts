/** Strings with such a character sort differently by UTF-16 code units and by UTF-8 bytes. */
const beyondSurrogates = /[\uD800-\uFFFF]/;
const eachBeyondSurrogates = /[\uD800-\uFFFF]/g;

/**
 * A form of a key for which JavaScript's `<` is the order of the key's UTF-8 bytes, which is the storage's order.
 *
 * The two orders differ only between characters beyond U+FFFF (surrogates, D800 to DFFF) and those from U+E000, so
 * both groups are swapped: surrogates move up by 2000, the others down by 800 (hexadecimal). Real keys are ASCII and
 * do not change.
 */
export function orderedKey(key: string): string {
  return beyondSurrogates.test(key) ? key.replace(eachBeyondSurrogates, moved) : key;
}

function moved(character: string): string {
  const unit = character.charCodeAt(0);
  return String.fromCharCode(unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
}
