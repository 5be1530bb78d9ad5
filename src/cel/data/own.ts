/** The value of an own property, for any key; undefined if there is none. */
export function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}
