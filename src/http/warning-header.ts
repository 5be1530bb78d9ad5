/** The total length of all warnings of a response, in characters; beyond it they are cut. */
const totalCharsMax = 4096;
/** What is left of each warning once they are cut. */
const cutChars = 256;

/**
 * The `Warning` headers of a response: `299 - "text"`, a line each. Texts with control characters are left out.
 * Source: apiserver, filters/with_warning_recorder and k8s.io/apimachinery NewWarningHeader.
 */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return texts;
  const sendable = texts.filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  // There are never more characters than units, which cost nothing to count.
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
