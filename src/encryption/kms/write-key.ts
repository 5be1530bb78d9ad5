import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { formatTime } from '../../meta/index.ts';
import { seedBytes, seededAesGcm } from '../ciphers/seeded-aes-gcm.ts';
import type { Cipher } from '../transformer.ts';
import { type KeySource, keySourceHash, sourceFault, sourceTypes } from './encrypted-object.ts';
import type { KmsClient } from './kms-client.ts';

/** The seed for writes, and its encrypted source, which is stored with each value. */
export interface WriteKey {
  readonly cipher: Cipher;
  readonly source: KeySource;
  readonly hash: string;
  /** Writes stop after this time, unless the plugin confirms the key before. */
  readonly expiresMs: number;
}

/** Creating a data key failed. */
class WriteKeyError extends Error {
  override readonly name = 'WriteKeyError';
}

interface Wanted {
  /** The key ID in the plugin's status. */
  readonly keyId: string;
  readonly present: WriteKey | undefined;
  readonly expiresMs: number;
}

/**
 * Creates a seed, encrypted by the plugin.
 *
 * @throws {WriteKeyError} with upstream's message. Source: apiserver, server/options/encryptionconfig/config.go.
 */
export async function makeWriteKey(
  client: Pick<KmsClient, 'encrypt'>,
  { keyId, present, expiresMs }: Wanted,
): Promise<WriteKey> {
  const uid = randomUUID();
  const seed = randomBytes(seedBytes);
  const made = await encryptedSeed(client, seed, uid);
  const source = made instanceof Error ? undefined : made;
  if (source !== undefined && source.keyId === keyId)
    return { cipher: seededAesGcm(seed), source, hash: keySourceHash(source), expiresMs };
  const [state, reason, hashes, until] = [
    present === undefined ? noWriteKey : '<nil>',
    made instanceof Error ? made.message : '<nil>',
    [keyId, source?.keyId, present?.source.keyId].map((id) => JSON.stringify(keyIdHash(id ?? ''))),
    present === undefined ? '0001-01-01T00:00:00Z' : formatTime(present.expiresMs),
  ];
  throw new WriteKeyError(
    `failed to rotate DEK uid="${uid}", useSeed=true, errState=${state}, errGen=${reason}, statusKeyIDHash=${hashes[0]}, encryptKeyIDHash=${hashes[1]}, stateKeyIDHash=${hashes[2]}, expirationTimestamp=${until}`,
  );
}

async function encryptedSeed(
  client: Pick<KmsClient, 'encrypt'>,
  seed: Uint8Array,
  uid: string,
): Promise<KeySource | Error> {
  try {
    const { ciphertext, keyId, annotations } = await client.encrypt(seed, uid);
    const source = { keyId, encryptedSource: ciphertext, annotations, type: sourceTypes.seed };
    const fault = sourceFault(source);
    return fault === undefined ? source : new Error(fault);
  } catch (error) {
    return new Error(`failed to encrypt DEK, error: ${error instanceof Error ? error.message : error}`);
  }
}

/** Upstream's message if there is no key yet. */
export const noWriteKey = 'got unexpected nil transformer';

/** Key IDs can be sensitive, so they are hashed in logs and messages. */
export const keyIdHash = (keyId: string): string =>
  keyId === '' ? '' : `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
