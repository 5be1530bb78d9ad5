import {
  EncryptionConfigurationError,
  type EncryptionRules,
  readEncryptionConfiguration,
} from '../../encryption/index.ts';
import { readFlagFile } from './flag-file.ts';

/** As the flag is declared: of commands that read a storage. */
export const encryptionFlag = '--encryption-provider-config';

/** Reads the file of `--encryption-provider-config`. @throws {Error} which names the flag and the file, without secrets */
export async function encryptionOf(
  path: string | undefined,
): Promise<{ readonly encryption?: EncryptionRules }> {
  if (path === undefined) return {};
  const text = await readFlagFile(encryptionFlag, path);
  try {
    return { encryption: readEncryptionConfiguration(text) };
  } catch (error) {
    if (!(error instanceof EncryptionConfigurationError)) throw error;
    throw new Error(`${encryptionFlag} ${path}: ${error.message}`, { cause: error });
  }
}
