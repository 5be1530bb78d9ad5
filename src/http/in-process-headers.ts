const plainName = /^[A-Za-z0-9-]+$/;
/** Without white space at its ends, which `Headers` takes away, and with nothing that it refuses. */
const plainValue = /^[!-~](?:[ -~]*[!-~])?$/;

/** What a request needs of its headers. */
export type ReadHeader = (name: string) => string | undefined;

/**
 * Reads headers by their lower-case names. `Headers` is only made of what is unusual, for it is slow, and the first one of a
 * process makes Node load its `fetch`.
 *
 * @throws {TypeError} for what is no header, as `fetch` does
 */
export function readHeaders(init: RequestInit['headers']): ReadHeader {
  const plain = plainHeaders(init);
  if (plain !== undefined) return (name) => plain.get(name);
  const headers = new Headers(init);
  return (name) => headers.get(name) ?? undefined;
}

function plainHeaders(init: RequestInit['headers']): Map<string, string> | undefined {
  const found = new Map<string, string>();
  if (init === undefined) return found;
  if (Object.getPrototypeOf(init) !== Object.prototype) return undefined;
  for (const [name, value] of Object.entries(init)) {
    const lower = name.toLowerCase();
    if (typeof value !== 'string' || !plainName.test(name) || !plainValue.test(value)) return undefined;
    // Of the same name in two spellings, one list is made.
    if (found.has(lower)) return undefined;
    found.set(lower, value);
  }
  return found;
}
