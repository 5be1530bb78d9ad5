import type { Command } from 'commander';
import {
  EncryptionConfigurationError,
  type EncryptionRules,
  type KeyServiceParts,
  readEncryptionConfiguration,
  ReplaceableRules,
} from '../../encryption/index.ts';
import { followFile, type Reloading } from './followed-file.ts';
import { readFlagFile } from './flag-file.ts';

/** The flag's declaration, for commands that read a storage. */
export const encryptionFlag = '--encryption-provider-config';

/** kube-apiserver's encryption flags. */
export interface EncryptionFlags {
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
}

export function addEncryptionFlags(command: Command): Command {
  return command
    .option(
      `${encryptionFlag} <file>`,
      'EncryptionConfiguration file: resources to encrypt in the store, and the keys',
    )
    .option(`${encryptionFlag}-automatic-reload`, 'reload the file when it changes');
}

/**
 * The rules from the flags; with automatic reload, they follow changes of the file.
 *
 * @throws {Error} that names the flag and the file, without secrets
 */
export async function encryptionChoice(
  {
    encryptionProviderConfig: path,
    encryptionProviderConfigAutomaticReload: reload = false,
  }: EncryptionFlags,
  reloading: Reloading & KeyServiceParts,
): Promise<{ readonly encryption?: EncryptionRules }> {
  if (path === undefined && reload)
    throw new Error(`${encryptionFlag}-automatic-reload: wants ${encryptionFlag}`);
  if (path === undefined || !reload) return encryptionOf(path, reloading);
  const text = await readFlagFile(encryptionFlag, path);
  const encryption = new ReplaceableRules(rulesOf(path, text, reloading));
  await encryption.services.start();
  const use = async (now: string) => {
    const next = readEncryptionConfiguration(now, reloading);
    await next.services.start();
    encryption.replace(next);
  };
  followFile({ what: 'encryption', flag: encryptionFlag, path, text, use }, reloading);
  return { encryption };
}

/**
 * Reads the file of `--encryption-provider-config`, and contacts its key services.
 *
 * @throws {Error} that names the flag and the file, without secrets
 */
export async function encryptionOf(
  path: string | undefined,
  parts?: KeyServiceParts,
): Promise<{ readonly encryption?: EncryptionRules }> {
  if (path === undefined) return {};
  const encryption = rulesOf(path, await readFlagFile(encryptionFlag, path), parts);
  await encryption.services.start();
  return { encryption };
}

function rulesOf(path: string, text: string, parts?: KeyServiceParts): EncryptionRules {
  try {
    return readEncryptionConfiguration(text, parts);
  } catch (error) {
    if (!(error instanceof EncryptionConfigurationError)) throw error;
    throw new Error(`${encryptionFlag} ${path}: ${error.message}`, { cause: error });
  }
}
