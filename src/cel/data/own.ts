/** The value under a key of the object's own, whatever the key is called; undefined where there is none. */
export function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}
