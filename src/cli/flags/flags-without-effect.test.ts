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
  expect(said('--etcd-prefix=/a', '--etcd-cafile', 'b')).toEqual(['--etcd-prefix', '--etcd-cafile']);
  expect(said('--etcd-prefix=/a', '--etcd-servers=http://127.0.0.1:2379')).toEqual([]);
});
