import { createHash } from 'node:crypto';
import { bytesField, decodeMessage, encodeMessage, intField, readInt, textField } from '../../grpc/index.ts';
import { checkDnsSubdomain, fieldErrorText, FieldPath, invalid, limits, required } from '../../meta/index.ts';
import { DecryptionError } from '../transformer.ts';
import { annotationFields, type Annotations, readAnnotation } from './kms-messages.ts';

/** The plaintext of a data key's source. */
export const sourceTypes = Object.freeze({
  /** The data key itself, as written before 1.29. */
  key: 0,
  /** A seed from which a key per value is derived. */
  seed: 1,
});

/** The source of a data key, encrypted by a plugin. */
export interface KeySource {
  readonly keyId: string;
  readonly encryptedSource: Uint8Array;
  readonly annotations: Annotations;
  readonly type: number;
}

/** A stored value: encrypted data and its key source. */
interface EncryptedObject {
  readonly data: Uint8Array;
  readonly source: KeySource;
}

/** Source: apiserver, storage/value/encrypt/envelope/kmsv2/v2/api.proto. */
export function encodeEncryptedObject({ data, source }: EncryptedObject): Buffer {
  return encodeMessage((writer) => {
    bytesField(writer, 1, data);
    textField(writer, 2, source.keyId);
    bytesField(writer, 3, source.encryptedSource);
    annotationFields(writer, 4, source.annotations);
    intField(writer, 5, source.type);
  });
}

/** @throws {DecryptionError} if the bytes are not such a message, or not a valid one */
export function decodeEncryptedObject(stored: Uint8Array): EncryptedObject {
  const { data, ...source } = parse(stored);
  if (data.length === 0) throw new DecryptionError('encrypted data is empty');
  const fault = sourceFault(source);
  if (fault !== undefined) throw new DecryptionError(fault);
  return { data, source };
}

function parse(stored: Uint8Array): KeySource & { readonly data: Uint8Array } {
  const nothing: Uint8Array = new Uint8Array(0);
  const annotations = new Map<string, Uint8Array>();
  const empty = { data: nothing, keyId: '', encryptedSource: nothing, annotations, type: 0 };
  try {
    return decodeMessage(stored, empty, (object, field, reader) => {
      if (field === 1) object.data = reader.bytes();
      else if (field === 2) object.keyId = reader.string();
      else if (field === 3) object.encryptedSource = reader.bytes();
      else if (field === 4) readAnnotation(reader, annotations);
      else if (field === 5) object.type = readInt(reader);
      else return false;
      return true;
    });
  } catch (cause) {
    throw new DecryptionError('proto: cannot parse invalid wire-format data', { cause });
  }
}

/** Validates the plugin's data; the messages are upstream's. Source: apiserver, kmsv2/envelope.go. */
export function sourceFault({ type, encryptedSource, keyId, annotations }: KeySource): string | undefined {
  if (type !== sourceTypes.key && type !== sourceTypes.seed) return `unknown encryptedDEKSourceType: ${type}`;
  const source = sizeFault(encryptedSource.length, 'encrypted DEK source', limits.kmsKeySourceBytesMax);
  if (source !== undefined) return `failed to validate encrypted DEK source: ${source}`;
  const id = keyIdFault(keyId);
  if (id !== undefined) return `failed to validate key id: ${id}`;
  const annotation = annotationsFault(annotations);
  return annotation === undefined ? undefined : `failed to validate annotations: ${annotation}`;
}

export const keyIdFault = (keyId: string): string | undefined =>
  sizeFault(Buffer.byteLength(keyId), 'keyID', limits.kmsKeyIdBytesMax);

function sizeFault(bytes: number, what: string, max: number): string | undefined {
  if (bytes === 0) return `${what} is empty`;
  return bytes > max ? `${what} is ${bytes} bytes, which exceeds the max size of ${max}` : undefined;
}

function annotationsFault(annotations: Annotations): string | undefined {
  const faults = [...annotations.keys()].flatMap((name) => nameFault(name) ?? []);
  let size = 0;
  for (const [name, value] of annotations) size += Buffer.byteLength(name) + value.length;
  const max = limits.kmsAnnotationBytesMax;
  if (size > max) faults.push(`total size of annotations is ${size}, which exceeds the max size of ${max}`);
  return faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
}

/** A fully qualified domain name. */
function nameFault(name: string): string | undefined {
  const path = FieldPath.of('annotations');
  if (name === '') return fieldErrorText(required(path));
  const plain = name.replace(/\.$/, '');
  const problems = checkDnsSubdomain(plain);
  if (problems.length > 0) return fieldErrorText(invalid(path, plain, problems.join(',')));
  if (plain.includes('.')) return undefined;
  const detail = 'should be a domain with at least two segments separated by dots';
  return fieldErrorText(invalid(path, plain, detail));
}

/** A cache key for a data key's source: values with the same one are decrypted with the same key. */
export function keySourceHash({ type, encryptedSource, keyId, annotations }: KeySource): string {
  const hash = createHash('sha256');
  const add = (bytes: Uint8Array) => hash.update(`${bytes.length}:`).update(bytes);
  hash.update(`${type}:`);
  add(encryptedSource);
  add(Buffer.from(keyId));
  for (const name of [...annotations.keys()].sort()) {
    add(Buffer.from(name));
    add(annotations.get(name) ?? new Uint8Array(0));
  }
  return hash.digest('base64');
}
