/** An empty key that normalization kept, because the default key already existed. */
export function isDefaultTaken(keyDefault: unknown, key: string): boolean {
  return key === '' && typeof keyDefault === 'string' && keyDefault !== '';
}
