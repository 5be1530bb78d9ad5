import { expect, test } from 'vitest';
import { withoutKind } from './without-kind.ts';

test.each([
  ['{"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{}}', '{"data":{},"metadata":{}}'],
  ['{"addressType":"IPv4","apiVersion":"v1","kind":"A"}', '{"addressType":"IPv4"}'],
  ['{"apiVersion":"v1","kind":"A"}', '{}'],
  [
    '{"data":{"kind":"a","apiVersion":"b"},"metadata":{}}',
    '{"data":{"kind":"a","apiVersion":"b"},"metadata":{}}',
  ],
  ['{"a":"\\"kind\\"","kind":"A","z":[{"kind":1}]}', '{"a":"\\"kind\\"","z":[{"kind":1}]}'],
])('%s', (object, rest) => expect(withoutKind(Buffer.from(object)).toString()).toBe(rest));
