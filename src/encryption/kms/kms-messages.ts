/**
 * The messages of KMS v2 plugins.
 * Source of the names and numbers: k8s.io/kms, apis/v2/api.proto.
 */
import {
  bytesField,
  messageField,
  type ReadField,
  readInner,
  rpc,
  textField,
  type Writer,
} from '../../grpc/index.ts';

/** The plugin's response to an encryption, needed for decryption. */
export type Annotations = ReadonlyMap<string, Uint8Array>;

export interface KmsStatus {
  version: string;
  healthz: string;
  keyId: string;
}

export interface Encrypted {
  ciphertext: Uint8Array;
  keyId: string;
  annotations: Map<string, Uint8Array>;
}

interface DecryptRequest {
  readonly uid: string;
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: Annotations;
}

const nothing = new Uint8Array(0);

/** A field `map<string, bytes>`: each entry is a message. */
export function annotationFields(writer: Writer, field: number, annotations: Annotations): void {
  for (const [key, value] of annotations) {
    messageField(writer, field, (inner) => {
      textField(inner, 1, key);
      bytesField(inner, 2, value);
    });
  }
}

const pairField: ReadField<{ key: string; value: Uint8Array }> = (pair, field, reader) => {
  if (field === 1) pair.key = reader.string();
  else if (field === 2) pair.value = reader.bytes();
  else return false;
  return true;
};

/** Reads one entry of a map. */
export function readAnnotation(reader: Parameters<typeof pairField>[2], into: Map<string, Uint8Array>): void {
  const { key, value } = readInner(reader, { key: '', value: nothing }, pairField);
  into.set(key, value);
}

const service = '/v2.KeyManagementService';

export const statusRpc = rpc<null, KmsStatus>(`${service}/Status`, () => {}, {
  empty: () => ({ version: '', healthz: '', keyId: '' }),
  read: (status, field, reader) => {
    if (field === 1) status.version = reader.string();
    else if (field === 2) status.healthz = reader.string();
    else if (field === 3) status.keyId = reader.string();
    else return false;
    return true;
  },
});

export const encryptRpc = rpc<{ readonly uid: string; readonly plaintext: Uint8Array }, Encrypted>(
  `${service}/Encrypt`,
  (writer, { uid, plaintext }) => {
    bytesField(writer, 1, plaintext);
    textField(writer, 2, uid);
  },
  {
    empty: () => ({ ciphertext: nothing, keyId: '', annotations: new Map() }),
    read: (encrypted, field, reader) => {
      if (field === 1) encrypted.ciphertext = reader.bytes();
      else if (field === 2) encrypted.keyId = reader.string();
      else if (field === 3) readAnnotation(reader, encrypted.annotations);
      else return false;
      return true;
    },
  },
);

export const decryptRpc = rpc<DecryptRequest, { plaintext: Uint8Array }>(
  `${service}/Decrypt`,
  (writer, { uid, ciphertext, keyId, annotations }) => {
    bytesField(writer, 1, ciphertext);
    textField(writer, 2, uid);
    textField(writer, 3, keyId);
    annotationFields(writer, 4, annotations);
  },
  {
    empty: () => ({ plaintext: nothing }),
    read: (decrypted, field, reader) => {
      if (field !== 1) return false;
      decrypted.plaintext = reader.bytes();
      return true;
    },
  },
);
