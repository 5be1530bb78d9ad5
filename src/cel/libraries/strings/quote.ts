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

/** The string as a CEL literal. Only necessary escapes are used; a lone surrogate becomes U+FFFD. */
export function quote(text: string): string {
  const escaped = text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\\"]/gu, (character) => escapes[character] ?? character);
  return `"${escaped}"`;
}
