import { expect, test } from 'vitest';
import { prefixRange, type StoreEvent, type WatchMessage } from './store.ts';
import { brokenPromises, type WatchSession } from './watch-validators.ts';

const put = (key: string, revision: number, value = 'v'): StoreEvent => ({
  type: 'put',
  key,
  revision,
  value: Buffer.from(value),
  previous: undefined,
});
const truth = [put('/a/1', 2), put('/b/1', 3), put('/a/2', 4), put('/a/3', 5)];
const [first, other, second, third] = truth as [StoreEvent, StoreEvent, StoreEvent, StoreEvent]; // four were written above

const message = (revision: number, ...events: StoreEvent[]): WatchMessage => ({ events, revision });
const broken = (...sessions: WatchSession[]) =>
  brokenPromises({ range: prefixRange('/a/'), sessions }, truth);
const watched = (...messages: WatchMessage[]) => broken({ after: 1, messages });

test('a recording that keeps all promises has nothing to say', () => {
  expect(watched(message(2, first), message(3), message(5, second, third))).toEqual([]);
  expect(
    broken({ after: 1, messages: [message(2, first)] }, { after: 2, messages: [message(5, second, third)] }),
  ).toEqual([]);
});

test('ordered', () => {
  expect(watched(message(5, first, third, second))).toEqual([
    'ordered: events come in the order of their revisions (revision 4 came after 5)',
  ]);
});

test('unique', () => {
  expect(watched(message(2, first, first))).toEqual([
    'unique: no event comes twice (/a/1 at revision 2 came twice)',
  ]);
});

test('atomic', () => {
  const twin = put('/a/twin', 2);
  expect(
    brokenPromises(
      {
        range: prefixRange('/a/t'),
        sessions: [{ after: 1, messages: [message(1, twin), message(2, twin)] }],
      },
      [twin],
    ),
  ).toContain('atomic: the events of one revision come in one message (revision 2 came in messages 0 and 1)');
});

test('reliable: an event left out', () => {
  expect(watched(message(2, first), message(5, third))).toContain(
    'reliable: no event before the last one delivered is left out, and each tells what happened' +
      ' (put /a/2 = v at 4: delivered was nothing)',
  );
});

test('reliable: an event with another value, or of another range', () => {
  expect(watched(message(2, put('/a/1', 2, 'w')))[0]).toMatch(
    '(put /a/1 = v at 2: delivered was put /a/1 = w at 2)',
  );
  expect(watched(message(3, first, other))[0]).toMatch('(put /b/1 = v at 3 did not happen in this range)');
});

test('resumable', () => {
  expect(
    broken({ after: 1, messages: [message(2, first)] }, { after: 4, messages: [message(5, third)] }),
  ).toEqual([
    'resumable: a new watch from the last revision seen goes on without a gap' +
      ' (after revision 2 came 5, the next change was 4)',
  ]);
});

test('bookmarkable', () => {
  const promise = 'bookmarkable: a message tells a revision only when every event up to it was delivered';
  expect(watched(message(4, first), message(4, second))).toEqual([
    `${promise} (4 was told before the event of 4 came)`,
  ]);
  expect(watched(message(1, first))).toEqual([`${promise} (the event of 2 came in a message that tells 1)`]);
});
