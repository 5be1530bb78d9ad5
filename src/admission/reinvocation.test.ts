import { expect, test } from 'vitest';
import { InvocationRecord } from './invocation-record.ts';
import { Reinvocation } from './reinvocation.ts';

test('a second round runs once, and only if a plugin requests it', () => {
  const rounds = new Reinvocation();
  expect([rounds.begin(), rounds.isReinvoke]).toEqual([false, false]);
  rounds.want();
  expect([rounds.isReinvoke, rounds.begin(), rounds.isReinvoke]).toEqual([false, true, true]);
  rounds.want();
  expect(rounds.begin()).toBe(false);
});

test('a plugin finds what it has kept', () => {
  const rounds = new Reinvocation();
  const kept = rounds.valueOf('a', () => ({ count: 1 }));
  expect(rounds.valueOf('a', () => ({ count: 2 }))).toBe(kept);
  expect(rounds.valueOf('b', () => ({ count: 3 }))).toEqual({ count: 3 });
});

test('those that were asked before a change are due', () => {
  const record = new InvocationRecord();
  record.noteInvoked('a');
  record.requirePrevious();
  record.noteInvoked('b');
  expect(['a', 'b'].map((key) => record.isDue(key))).toEqual([true, false]);
});

test('what others changed between the rounds makes all due, an equal object makes none', () => {
  const after = (object: object | undefined) => {
    const record = new InvocationRecord();
    record.noteInvoked('a');
    record.noteOutput({ spec: { size: 1 } });
    record.requireWhereChanged(object as never);
    return record.isDue('a');
  };
  expect(after({ spec: { size: 1 } })).toBe(false);
  expect(after({ spec: { size: 2 } })).toBe(true);
  expect(after(undefined)).toBe(true);
});
