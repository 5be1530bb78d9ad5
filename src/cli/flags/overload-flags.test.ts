import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addOverloadFlags, overloadChoice } from './overload-flags.ts';

function choice(...args: string[]) {
  const command = addOverloadFlags(
    new Command('serve').exitOverride().configureOutput({ writeErr: () => {} }),
  );
  command.parse(args, { from: 'user' });
  return overloadChoice(command.opts());
}

test.each([
  [[], [true, 400, 200, 60_000]],
  [['--enable-priority-and-fairness=false'], [false, 400, 200, 60_000]],
  [
    ['--enable-priority-and-fairness', '--max-requests-inflight=50'],
    [true, 50, 200, 60_000],
  ],
  [
    ['--max-mutating-requests-inflight', '7'],
    [true, 400, 7, 60_000],
  ],
  [['--request-timeout=0'], [true, 400, 200]],
  [
    ['--request-timeout', '1m30s'],
    [true, 400, 200, 90_000],
  ],
])('%j', (args, expected) => expect(Object.values(choice(...args))).toEqual(expected));

test('a timeout that is no duration is a mistake', () => {
  expect(() => choice('--request-timeout=5')).toThrow('5 is no duration: want 5m0s');
});

test('no requests at once is a mistake', () => {
  expect(() => choice('--max-requests-inflight=0')).toThrow('not a number of requests.');
});
