const htmlUnsafe = /[<>&\u2028\u2029]/;
const htmlUnsafeEach = /[<>&\u2028\u2029]/g;

/** JSON text with what HTML and JavaScript would trip over as `\u003c`; outside strings JSON has none of it. */
export function escapeHtml(text: string): string {
  if (!htmlUnsafe.test(text)) return text;
  return text.replace(htmlUnsafeEach, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
