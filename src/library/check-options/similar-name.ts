/** The maximum distance of a typing error. */
const distanceMax = 3;

/** The name that was probably meant; undefined if none is similar. */
export function similarName(name: string, names: readonly string[]): string | undefined {
  if (name.length > 40) return undefined;
  const near = names
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= Math.min(distanceMax, Math.floor(one.length / 2)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.one;
}

/** The number of letters to insert, delete or replace: the Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const change = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(change, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
