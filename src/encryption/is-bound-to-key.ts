const boundPrefixes = ['k8s:enc:aesgcm:', 'k8s:enc:kms:v2:'].map((prefix) => Buffer.from(prefix));

/** Whether a stored value can only be decrypted under its storage key, which the cipher authenticates. */
export function isBoundToKey(stored: Uint8Array): boolean {
  return boundPrefixes.some((prefix) => prefix.equals(stored.subarray(0, prefix.length)));
}
