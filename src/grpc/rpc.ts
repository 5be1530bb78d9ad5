import { decodeMessage, encodeMessage, type ReadField, type Writer } from './wire.ts';

/** A method of a gRPC service: its path and message types. */
export interface Rpc<Q, R> {
  readonly path: string;
  readonly encode: (request: Q) => Buffer;
  readonly decode: (bytes: Buffer) => R;
}

/**
 * @param path service and method: `/etcdserverpb.KV/Range`
 * @param response how a response is decoded: into an empty message, field by field
 */
export function rpc<Q, R>(
  path: string,
  write: (writer: Writer, request: Q) => void,
  response: { readonly empty: () => R; readonly read: ReadField<R> },
): Rpc<Q, R> {
  return {
    path,
    encode: (request) => encodeMessage((writer) => write(writer, request)),
    decode: (bytes) => decodeMessage(bytes, response.empty(), response.read),
  };
}
