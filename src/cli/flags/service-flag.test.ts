import { expect, test } from 'vitest';
import { serviceFlag } from './service-flag.ts';

test('each --service maps one more', () => {
  const first = serviceFlag('default/converter=https://127.0.0.1:9443', {});
  expect(serviceFlag('kube-system/other:8443=https://[::1]', first)).toEqual({
    'default/converter:443': 'https://127.0.0.1:9443',
    'kube-system/other:8443': 'https://[::1]',
  });
});

test.each([
  [
    'converter=https://x',
    'converter=https://x is not of the form <namespace>/<name>:<port>=https://<host>:<port>.',
  ],
  ['default/converter=https://y', 'default/converter:443 is mapped twice.'],
])('%s is refused', (text, why) => {
  const before = { 'default/converter:443': 'https://x' };
  expect(() => serviceFlag(text, before)).toThrow(why);
});
