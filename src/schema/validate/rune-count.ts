/** The number of Unicode code points of a string, which length limits count. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) continue;
    const before = text.charCodeAt(at - 1);
    if (before >= 0xd800 && before <= 0xdbff) count -= 1;
  }
  return count;
}
