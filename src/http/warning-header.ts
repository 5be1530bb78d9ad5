/** The maximum total length of a response's warnings, in characters; above it they are truncated. */
const totalCharsMax = 4096;
/** The length of each warning after truncation. */
const cutChars = 256;

/**
 * The `Warning` headers of a response: `299 - "text"`, one per text. Texts with control characters are dropped.
 * Source: apiserver, filters/with_warning_recorder and k8s.io/apimachinery NewWarningHeader.
 */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return texts;
  const sendable = texts.filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  // A string has at most as many characters as units, which are free to count.
  const units = sendable.reduce((sum, text) => sum + text.length, 0);
  if (units <= totalCharsMax || charsOf(sendable) <= totalCharsMax) return sendable.map(header);
  const kept: string[] = [];
  let sum = 0;
  for (const text of sendable) {
    const cut = [...text].slice(0, cutChars).join('');
    sum += [...cut].length;
    if (sum > totalCharsMax) break;
    kept.push(header(cut));
  }
  return kept;
}

function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + [...text].length, 0);
}

function header(text: string): string {
  const line = `299 - "${text.replace(/["\\]/g, (char) => `\\${char}`)}"`;
  return /^[ -~]*$/.test(line) ? line : Buffer.from(line).toString('latin1');
}
