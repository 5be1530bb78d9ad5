import { readFile } from 'node:fs/promises';

/** The reason why a file or folder cannot be used, in a few words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'may not be read',
  EISDIR: 'is a folder',
};

/** Reads the file of a flag. @throws {Error} that names the flag and the file */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${flag} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** `no such file or folder`, or the system's message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error && reasons[String(error.code)]) || error.message;
}
