import { expect, test } from 'vitest';
import type { KnownRequest } from '../filter.ts';
import type { HttpRequest } from '../message.ts';
import { InFlightGate } from './in-flight-gate.ts';

/** A request of a verb; the gate only reads its method. */
const request = (verb: KnownRequest['verb'], method: string): KnownRequest => ({
  http: { method } as HttpRequest,
  user: { name: 'alice', groups: [] },
  path: undefined,
  verb,
});

test('reads and writes have separate limits and release their places; watches are unlimited', () => {
  const gate = new InFlightGate({ inFlightReadMax: 1, inFlightWriteMax: 1 });
  const enter = (verb: KnownRequest['verb'], method: string) => {
    const entered = gate.enter(request(verb, method));
    return 'leave' in entered ? entered.leave : entered.response.status;
  };
  const leave = enter('get', 'GET');
  expect(enter('get', 'HEAD')).toBe(429);
  expect(enter('watch', 'GET')).toBeTypeOf('function');
  expect(enter('create', 'POST')).toBeTypeOf('function');
  expect(enter('delete', 'DELETE')).toBe(429);
  if (typeof leave === 'function') leave();
  expect(enter('list', 'GET')).toBeTypeOf('function');
});
