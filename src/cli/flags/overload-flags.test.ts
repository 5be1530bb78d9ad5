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
  [[], [true, 400, 200]],
  [['--enable-priority-and-fairness=false'], [false, 400, 200]],
  [
    ['--enable-priority-and-fairness', '--max-requests-inflight=50'],
    [true, 50, 200],
  ],
  [
    ['--max-mutating-requests-inflight', '7'],
    [true, 400, 7],
  ],
])('%j', (args, expected) => expect(Object.values(choice(...args))).toEqual(expected));

test('no requests at once is a mistake', () => {
  expect(() => choice('--max-requests-inflight=0')).toThrow('not a number of requests.');
});
