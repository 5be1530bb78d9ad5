import { describe, expect, test } from 'vitest';
import { FakeClock } from './fake-clock.ts';

/** A clock at zero, and a log of its calls. */
function start() {
  const clock = new FakeClock(0);
  const log: string[] = [];
  const note = (name: string) => () => void log.push(`${name} at ${clock.now()}`);
  return { clock, log, note };
}

describe('a clock that a test moves', () => {
  test('calls what falls due in its order, each at its own time', () => {
    const { clock, log, note } = start();
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.advance(19);
    expect(log).toEqual(['a at 10']);
    clock.advance(1);
    expect(log).toEqual(['a at 10', 'b at 20', 'c at 20']);
    expect(clock.now()).toBe(20);
  });

  test('calls again and again until that is called off', () => {
    const { clock, log, note } = start();
    const stop = clock.every(10, note('a'));
    clock.advance(25);
    stop();
    clock.advance(25);
    expect(log).toEqual(['a at 10', 'a at 20']);
  });

  test('calls what is set while it moves', () => {
    const { clock, log, note } = start();
    clock.after(10, () => clock.after(5, note('a')));
    clock.advance(15);
    expect(log).toEqual(['a at 15']);
  });

  test('an interval of nothing does not stand still', () => {
    const { clock } = start();
    let calls = 0;
    clock.every(0, () => (calls += 1));
    clock.advance(3);
    expect(calls).toBe(4);
  });

  test('is set to a time, and goes forward alone', () => {
    const clock = new FakeClock('2026-01-01T00:00:00Z');
    clock.set('2026-01-01T00:00:01Z');
    expect(clock.now()).toBe(Date.parse('2026-01-01T00:00:01Z'));
    expect(() => clock.set('2026-01-01T00:00:00Z')).toThrow('time goes forward: -1000');
    expect(() => clock.advance(Number.NaN)).toThrow('time goes forward: NaN');
    expect(() => new FakeClock('never')).toThrow('not a time: never');
  });
});
