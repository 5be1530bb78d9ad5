import { expect, test } from 'vitest';
import { readFlags } from './read-flags.ts';

const booleans = new Set(['allow-privileged']);
const read = (...args: string[]) => {
  const flags = readFlags(args, { booleans });
  return Object.fromEntries(flags.names.map((name) => [name, flags.all(name)]));
};

test.each([
  [['--a=1', '--b', '2'], { a: ['1'], b: ['2'] }],
  [['-data-dir', '/x', '-v=4'], { 'data-dir': ['/x'], v: ['4'] }],
  [['--a', '--b=x'], { a: ['true'], b: ['x'] }],
  [['--a=1', '--a=2'], { a: ['1', '2'] }],
  [['--etcd-servers='], { 'etcd-servers': [''] }],
  [['--allow-privileged', 'leftover', '--a=1'], { 'allow-privileged': ['true'], a: ['1'] }],
  [['--a=x=y,z'], { a: ['x=y,z'] }],
  [['--secure_port=1'], { 'secure-port': ['1'] }],
  [['serve', '--', '-', '--a'], { a: ['true'] }],
])('%j', (args, expected) => {
  expect(read(...args)).toEqual(expected);
});

test('the last value counts', () => {
  expect(readFlags(['--a=1', '--a', '2'], { booleans }).last('a')).toBe('2');
});
