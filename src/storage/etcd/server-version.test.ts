import { expect, test } from 'vitest';
import { tellsTrueProgress } from './server-version.ts';

test.each([
  ['3.3.27', false],
  ['3.4.23', false],
  ['3.4.30', false],
  ['3.4.31', true],
  ['3.5.12', false],
  ['3.5.13', true],
  ['3.5.21', true],
  ['3.6.0-rc.1', true],
  ['4.0.0', true],
  ['', false],
])('progress told by etcd %s is believed: %s', (version, trusted) => {
  expect(tellsTrueProgress(version)).toBe(trusted);
});
