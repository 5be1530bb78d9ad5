import { LoadError } from './load-error.ts';

/**
 * Loads the source of a flag; errors name the flag: `--crds /none: no such file or folder`.
 *
 * @throws {LoadError}
 */
export async function ofFlag<T>(flag: string, source: string, loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof LoadError) || !error.message.startsWith(`${source}: `)) throw error;
    throw new LoadError(`${flag} ${error.message}`);
  }
}
