import { expect, test } from 'vitest';
import { flagsWithoutEffect } from './flags-without-effect.ts';
import { serveCommand } from '../commands/serve-command.ts';

/** The warnings about a command line of `ilk serve`, without serving. */
function said(...args: readonly string[]): string[] {
  const command = serveCommand().action(() => {});
  command.parse([...args], { from: 'user' });
  return flagsWithoutEffect(command);
}

test('flags that are accepted and change nothing are known', () => {
  expect(said()).toEqual([]);
  expect(said('--etcd-prefix=/a', '--etcd-cafile', 'b')).toEqual([
    'without --etcd-servers, these flags do nothing: --etcd-prefix, --etcd-cafile',
  ]);
  expect(said('--etcd-prefix=/a', '--etcd-servers=http://127.0.0.1:2379')).toEqual([]);
});

test.each([
  ['--postgres', '--postgres-schema', 'a'],
  ['--postgres', '--postgres-pool-size', '9'],
  ['--requestheader-client-ca-file', '--requestheader-allowed-names', 'a'],
  ['--authentication-token-webhook-config-file', '--authentication-token-webhook-cache-ttl', '1m'],
  ['--authorization-webhook-config-file', '--authorization-webhook-cache-authorized-ttl', '1m'],
  ['--audit-policy-file', '--audit-log-path', 'a'],
  ['--audit-policy-file', '--audit-webhook-config-file', 'a'],
  ['--audit-log-path', '--audit-log-maxage', '3'],
  ['--audit-webhook-config-file', '--audit-webhook-mode', 'batch'],
])('without %s, %s does nothing', (needed, flag, value) => {
  expect(said(flag, value)).toEqual([`without ${needed}, these flags do nothing: ${flag}`]);
  // What the audit writes to needs a policy, too.
  expect(said(flag, value, needed, 'x', '--audit-policy-file', 'x')).toEqual([]);
});
