import { closeSync, fsyncSync, openSync } from 'node:fs';

/** On the disk, and not only on its way there. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
