import { expect, test } from 'vitest';
import { hasReusePort, requireReusePort } from './require-reuse-port.ts';

test.each([
  ['20.20.2', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', false],
  ['23.1.0', true],
  ['24.0.0', true],
])('Node %s has SO_REUSEPORT: %s', (version, expected) => expect(hasReusePort(version)).toBe(expected));

test('several threads are refused where they cannot listen on one port, with what is needed', async () => {
  const { node } = process.versions;
  const required = requireReusePort(2, '127.0.0.1');
  if (hasReusePort(node) && process.platform === 'linux') await required;
  else
    await expect(required).rejects.toThrow(
      `--workers 2 needs Node 22.12 or later on Linux, where threads can listen on one port; this is Node ${node} on ${process.platform}`,
    );
});
