const boundPrefixes = ['k8s:enc:aesgcm:', 'k8s:enc:kms:v2:'].map((prefix) => Buffer.from(prefix));

/** Whether a stored value can be decrypted only under the key that it was written to, which its cipher authenticates. */
export function isBoundToKey(stored: Uint8Array): boolean {
  return boundPrefixes.some((prefix) => prefix.equals(stored.subarray(0, prefix.length)));
}
