import { isUtf8 } from 'node:buffer';
import { type Revision, StoreError, type StoredRecord } from '../store.ts';

/**
 * A backup is text, one JSON document in a line: a head, a line for each file and each record, and a last line that
 * counts them and has the SHA-256 of everything before it. It can be read with `jq`, and truncation is detected.
 */
export const formatVersion = 1;

/** The first line. */
export interface BackupHead {
  readonly ilkBackup: number;
  /** The moment that was copied. */
  readonly revision: Revision;
  /** RFC 3339. */
  readonly created: string;
}

/** A file beside the database: a certificate, or a key. */
export interface BackupFile {
  /** Relative to the data directory, with slashes: `pki/ca.crt`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The last line. */
export interface BackupEnd {
  readonly records: number;
  readonly files: number;
  readonly sha256: string;
}

export type BackupEntry =
  | { readonly head: BackupHead }
  | { readonly file: BackupFile }
  | { readonly record: StoredRecord };

/** Bytes as a text where they are one. */
function packed(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

export const headLine = (head: BackupHead): string => `${JSON.stringify(head)}\n`;
export const fileLine = ({ path, bytes }: BackupFile): string =>
  `${JSON.stringify({ file: path, ...packed(bytes) })}\n`;
export const recordLine = ({ key, modRevision, value }: StoredRecord): string =>
  `${JSON.stringify({ key, revision: modRevision, ...packed(value) })}\n`;
export const endLine = (end: BackupEnd): string => `${JSON.stringify(end)}\n`;

/** A refusal with the position in the backup. */
export const badBackup = (text: string): StoreError => new StoreError('refused', `the backup ${text}`);

type Fields = Readonly<Record<string, unknown>>;

/** @throws {StoreError} `refused` if it is not an object */
export function parseLine(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new StoreError('refused', notJson(number), { cause: error });
  }
  if (typeof value !== 'object' || value === null) throw badBackup(`is damaged: line ${number} is no object`);
  // A JSON object, whose fields are checked one by one.
  return value as Fields;
}

const notJson = (number: number) =>
  number === 1
    ? 'this is no backup of Ilk: its first line is not JSON'
    : `the backup is damaged: line ${number} is not JSON`;

/** @throws {StoreError} `refused` if the header is not that of a backup, or has a newer format */
export function headOf({ ilkBackup, revision, created }: Fields): BackupHead {
  if (typeof ilkBackup !== 'number') throw new StoreError('refused', 'this is no backup of Ilk');
  if (ilkBackup > formatVersion) {
    throw badBackup(
      `was made by a newer version of Ilk: its format is ${ilkBackup}, this Ilk knows up to ${formatVersion}`,
    );
  }
  if (!isRevision(revision)) throw badBackup('is damaged: its first line has no revision');
  return { ilkBackup, revision, created: typeof created === 'string' ? created : '' };
}

/** @throws {StoreError} `refused` for a line that is neither a record nor a file */
export function entryOf(fields: Fields, number: number): BackupEntry {
  const bytes = bytesOf(fields);
  const { key, file, revision } = fields;
  if (bytes !== undefined && typeof file === 'string') return { file: { path: file, bytes } };
  if (bytes !== undefined && typeof key === 'string' && isRevision(revision)) {
    return { record: { key, modRevision: revision, value: bytes } };
  }
  throw badBackup(`is damaged: line ${number} is neither a record nor a file`);
}

/** The last line, if this is one. */
export function endOf({ records, files, sha256 }: Fields): BackupEnd | undefined {
  if (typeof records !== 'number' || typeof files !== 'number' || typeof sha256 !== 'string')
    return undefined;
  return { records, files, sha256 };
}

function bytesOf({ text, base64 }: Fields): Uint8Array | undefined {
  if (typeof text === 'string') return Buffer.from(text, 'utf8');
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
}

const isRevision = (value: unknown): value is Revision =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
