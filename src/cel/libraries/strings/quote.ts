const escapes: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** The text as a literal of CEL. What no escape is needed for stays; a surrogate that stands alone is U+FFFD. */
export function quote(text: string): string {
  const escaped = text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\\"]/gu, (character) => escapes[character] ?? character);
  return `"${escaped}"`;
}
