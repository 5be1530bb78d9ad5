import { expect, test } from 'vitest';
import { judge } from './etcd-error.ts';

/** What a call that failed with this sentence means. */
const verdictOf = (details: string) => judge({ code: 14, details });

test('what was turned away unseen or never sent may be sent again, even where it writes', () => {
  for (const details of [
    'etcdserver: no leader',
    'Stream refused by server',
    'Failed to start HTTP/2 stream with error The session has been destroyed',
  ])
    expect(verdictOf(details)).toEqual({ kind: 'passing', nothingWritten: true });
});

test('what broke on the way may have been done', () => {
  expect(verdictOf('Connection dropped')).toEqual({ kind: 'passing', nothingWritten: false });
  expect(verdictOf('etcdserver: request timed out')).toEqual({ kind: 'passing', nothingWritten: false });
});

test('what will fail again is not tried again', () => {
  expect(verdictOf('etcdserver: request is too large')).toEqual({ kind: 'final', code: 'too-large' });
});
