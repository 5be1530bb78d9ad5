/** A string as a literal in the code. */
export function literal(constant: string | boolean | null): string {
  return JSON.stringify(constant).replace(
    /[\u2028\u2029]/g,
    (separator) => `\\u${separator.charCodeAt(0).toString(16)}`,
  );
}

/** Reads an own property with a constant name; inherited names need an own-property check. */
export function property(object: string, name: string): string {
  const key = literal(name);
  if (!(name in Object.prototype)) return `${object}[${key}]`;
  return `(hasOwn(${object}, ${key}) ? ${object}[${key}] : undefined)`;
}
