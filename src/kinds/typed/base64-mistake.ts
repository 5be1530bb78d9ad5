const alphabet = /[A-Za-z0-9+/]/;

/**
 * Where Go's decoder of standard base64 with padding stops; undefined for a sound text. Line breaks count as nothing,
 * but in the numbering.
 */
export function base64Mistake(text: string): number | undefined {
  const breaks = /[\r\n]/;
  let inQuad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (breaks.test(char)) continue;
    if (char === '=') return paddingMistake(text, at, inQuad);
    if (!alphabet.test(char)) return at;
    inQuad = (inQuad + 1) % 4;
  }
  return inQuad === 0 ? undefined : text.length - inQuad;
}

function paddingMistake(text: string, at: number, inQuad: number): number | undefined {
  if (inQuad < 2) return at;
  const rest = text.slice(at + 1);
  const end = skipBreaks(rest, 0);
  if (inQuad === 3) return end === rest.length ? undefined : at + 1 + end;
  if (end === rest.length) return text.length;
  if (rest[end] !== '=') return at + end;
  const after = skipBreaks(rest, end + 1);
  return after === rest.length ? undefined : at + 1 + after;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\r' || text[at] === '\n') at += 1;
  return at;
}
