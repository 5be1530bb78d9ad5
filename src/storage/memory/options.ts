/** Objects live as long as the process. */
export interface MemoryStorageOptions {
  readonly kind: 'memory';
}
