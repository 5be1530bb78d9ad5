import { expect, test } from 'vitest';
import { takeIgnoredFlags } from './ignored-flags.ts';

test('flags of kube-apiserver that mean nothing here go, with their values', () => {
  const args = [
    '--watch-cache=false',
    '--emulated-version',
    '1.31',
    '--secure-port=0',
    '--profiling',
    '-v',
    '4',
  ];
  expect(takeIgnoredFlags(args)).toEqual({
    kept: ['--secure-port=0', '-v', '4'],
    ignored: ['--watch-cache', '--emulated-version', '--profiling'],
  });
});
