const htmlUnsafe = /[<>&\u2028\u2029]/;
const htmlUnsafeEach = /[<>&\u2028\u2029]/g;

/** Escapes characters of JSON text that are unsafe in HTML and JavaScript, as `\u003c`; they occur only in strings. */
export function escapeHtml(text: string): string {
  if (!htmlUnsafe.test(text)) return text;
  return text.replace(htmlUnsafeEach, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
