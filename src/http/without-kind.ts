import { skipString, skipValue } from '../codec/index.ts';

const apiVersionKey = Buffer.from('"apiVersion"');
const kindKey = Buffer.from('"kind"');
const comma = 0x2c;

/**
 * Compact JSON of an object without its `apiVersion` and `kind`, without parsing.
 *
 *     {"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{}} // {"data":{},"metadata":{}}
 */
export function withoutKind(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = 1;
  let start = 1;
  let left = 2;
  while (left > 0 && at < bytes.length - 1) {
    const colon = skipString(bytes, at);
    const key = bytes.subarray(at, colon);
    const end = skipValue(bytes, colon + 1);
    const next = bytes[end] === comma ? end + 1 : end;
    if (key.equals(apiVersionKey) || key.equals(kindKey)) {
      kept.push(bytes.subarray(start, at));
      start = next;
      left -= 1;
    }
    at = next;
  }
  const body = Buffer.concat([bytes.subarray(0, 1), ...kept, bytes.subarray(start)]);
  // Removing the last member also removes the comma before it.
  const last = body.length - 2;
  return body[last] === comma ? Buffer.concat([body.subarray(0, last), body.subarray(last + 1)]) : body;
}
