/**
 * A KMS v2 plugin: a gRPC server on a Unix socket, as a separate process. `node kms-plugin.test-support.mjs SOCKET
 * STATE`.
 *
 * STATE is a JSON file, read for each call: `{version, healthz, status, current, keys: {id: base64}, annotations}`.
 * Data keys are encrypted with AES-256-GCM and the key `current`; `status` is the key ID in Status, by default
 * `current`. The file `STATE.calls` has a line per call.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

const [socket, stateFile] = process.argv.slice(2);

/** Source: k8s.io/kms, apis/v2/api.proto. */
const { root } = protobuf.parse(
  `syntax = "proto3"; package v2;
  message StatusRequest {}
  message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
  message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
  message DecryptResponse { bytes plaintext = 1; }
  message EncryptRequest { bytes plaintext = 1; string uid = 2; }
  message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }`,
  { keepCase: true },
);

const state = () => JSON.parse(readFileSync(stateFile, 'utf8'));
const refuse = (code, details) => Object.assign(new Error(details), { code, details });

const methods = {
  Status() {
    const { version = 'v2', healthz = 'ok', current, status: named = current } = state();
    return { version, healthz, key_id: named };
  },
  Encrypt({ plaintext }) {
    const { current, keys, annotations = {} } = state();
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(keys[current], 'base64'), nonce);
    const ciphertext = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    const bytes = Object.fromEntries(
      Object.entries(annotations).map(([key, text]) => [key, Buffer.from(text)]),
    );
    return { ciphertext, key_id: current, annotations: bytes };
  },
  Decrypt({ ciphertext, key_id: id, annotations = {} }) {
    const { keys, annotations: wanted = {} } = state();
    if (keys[id] === undefined) throw refuse(status.NOT_FOUND, `no key ${id}`);
    for (const [key, text] of Object.entries(wanted)) {
      const given = Buffer.from(annotations[key] ?? []).toString();
      if (given !== text) throw refuse(status.INVALID_ARGUMENT, `annotation ${key}: ${given}`);
    }
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(keys[id], 'base64'),
      ciphertext.subarray(0, 12),
    );
    decipher.setAuthTag(ciphertext.subarray(-16));
    return { plaintext: Buffer.concat([decipher.update(ciphertext.subarray(12, -16)), decipher.final()]) };
  },
};

const definition = {};
const handlers = {};
for (const [name, method] of Object.entries(methods)) {
  const [request, response] = ['Request', 'Response'].map((end) => root.lookupType(`v2.${name}${end}`));
  definition[name] = {
    path: `/v2.KeyManagementService/${name}`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes) => request.decode(bytes),
    requestSerialize: (message) => request.encode(message).finish(),
    responseDeserialize: (bytes) => response.decode(bytes),
    responseSerialize: (message) => response.encode(message).finish(),
  };
  handlers[name] = (call, answer) => {
    appendFileSync(`${stateFile}.calls`, `${name}\n`);
    try {
      answer(null, method(call.request));
    } catch (error) {
      answer(error);
    }
  };
}

const server = new Server();
server.addService(definition, handlers);
server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  process.stdout.write('ready\n');
});
