import { describe, expect, test } from 'vitest';
import { mayBeMisread } from './misread-keys.ts';

describe('mayBeMisread', () => {
  test.each([
    ['a key that has become a backslash', '{"a":[{"\\n":1}]}', { a: [{ '\\': 1 }] }, true],
    ['a key with a backslash', '{"C:\\\\temp":1}', { 'C:\\temp': 1 }, true],
    ['escapes in values only', '{"a":"C:\\\\temp"}', { a: 'C:\\temp' }, false],
    ['an escaped key without a backslash', '{"k:{\\"name\\":\\"x\\"}":1}', { 'k:{"name":"x"}': 1 }, false],
  ])('%s: %s', (_, text, value, suspicious) => {
    expect(mayBeMisread(text, value, '13.6.233.17-node.50')).toBe(suspicious);
    expect(mayBeMisread(text, value, '12.4.254.21-node.56')).toBe(false);
    expect(mayBeMisread(text, value, '11.3.244.8-node.38')).toBe(false);
  });
});
