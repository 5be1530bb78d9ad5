export { type CallFailure, isCallFailure } from './call-failure.ts';
export { type Rpc, rpc } from './rpc.ts';
export { unaryCall } from './unary-call.ts';
export {
  boolField,
  bytesField,
  decodeMessage,
  encodeMessage,
  intField,
  messageField,
  type ReadField,
  readInner,
  readInt,
  textField,
  type Writer,
} from './wire.ts';
