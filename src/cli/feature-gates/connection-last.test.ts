import { expect, test } from 'vitest';
import { withConnectionLast } from './connection-last.ts';
import { connectionOptions } from './kubectl.ts';

/** The command line, as words. */
const reordered = (line: string) => withConnectionLast(line.split(' '), connectionOptions()).join(' ');

test.each([
  ['--kubeconfig f enable ct Gate', 'enable ct Gate --kubeconfig f'],
  [
    '--context=a -s https://b enable ct Gate --dry-run=server',
    'enable ct Gate --dry-run=server --context=a -s https://b',
  ],
  ['enable ct Gate --kubeconfig f', 'enable ct Gate --kubeconfig f'],
  ['--insecure-skip-tls-verify list', 'list --insecure-skip-tls-verify'],
  ['--as-group g disable ct Gate', 'disable ct Gate --as-group g'],
  ['ct -o wide', 'ct -o wide'],
])('%s is %s', (given, taken) => expect(reordered(given)).toBe(taken));
