import { describe, expect, test } from 'vitest';
import { limits } from '../meta/index.ts';
import { Sessions } from './sessions.ts';
import { SignInCodes } from './sign-in-codes.ts';

const clock = { ms: 0, now: () => clock.ms };
const signedIn = (userName: string) => ({
  userName,
  proof: { user: { name: userName, groups: [] } },
});
const openFor = (sessions: Sessions, userName: string) => sessions.open(signedIn(userName))?.id ?? '';

describe('sessions', () => {
  test('are found by ID until they expire', () => {
    const sessions = new Sessions(clock);
    const id = openFor(sessions, 'ann');
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(sessions.find(id)?.userName).toBe('ann');
    expect(sessions.find('other')).toBeUndefined();
    clock.ms += limits.consoleSessionMs - 1;
    expect(sessions.find(id)?.userName).toBe('ann');
    clock.ms += 1;
    expect(sessions.find(id)).toBeUndefined();
  });

  test('end when closed, and notify watches', () => {
    const sessions = new Sessions(clock);
    const id = openFor(sessions, 'ann');
    let told = 0;
    const end = sessions.onChange(() => (told += 1));
    sessions.close('other');
    expect(told).toBe(0);
    sessions.close(id);
    expect([told, sessions.find(id)]).toEqual([1, undefined]);
    end();
  });

  test('a user above the limit loses the oldest session, other users none', () => {
    const sessions = new Sessions(clock);
    const other = openFor(sessions, 'bob');
    const ids = Array.from({ length: limits.consoleSessionsPerUserMax + 1 }, () => openFor(sessions, 'ann'));
    expect(sessions.find(ids[0] ?? '')).toBeUndefined();
    expect(ids.slice(1).every((id) => sessions.find(id) !== undefined)).toBe(true);
    expect(sessions.find(other)).toBeDefined();
  });

  test('all users together have a limit, without expired sessions', () => {
    const sessions = new Sessions(clock);
    for (let at = 0; at < limits.consoleSessionsMax; at += 1) openFor(sessions, `user-${at}`);
    expect(sessions.open(signedIn('ann'))).toBeUndefined();
    clock.ms += limits.consoleSessionMs;
    expect(sessions.open(signedIn('ann'))).toBeDefined();
  });
});

describe('codes', () => {
  test('can be used once', () => {
    const codes = new SignInCodes(clock);
    const { code } = codes.issue(signedIn('ann'));
    expect(codes.take(code)?.userName).toBe('ann');
    expect(codes.take(code)).toBeUndefined();
  });

  test('expire', () => {
    const codes = new SignInCodes(clock);
    const { code, expiresAtMs } = codes.issue(signedIn('ann'));
    clock.ms = expiresAtMs;
    expect(codes.take(code)).toBeUndefined();
  });

  test('the oldest is dropped above the limit', () => {
    const codes = new SignInCodes(clock);
    const all = Array.from({ length: limits.consoleCodesMax + 1 }, () => codes.issue(signedIn('ann')).code);
    expect(codes.take(all[0] ?? '')).toBeUndefined();
    expect(codes.take(all[1] ?? '')).toBeDefined();
  });
});
