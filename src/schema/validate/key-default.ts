/** An empty key that normalization left in place, because the key it stands for was there already. */
export function isDefaultTaken(keyDefault: unknown, key: string): boolean {
  return key === '' && typeof keyDefault === 'string' && keyDefault !== '';
}
