import { expect, test } from 'vitest';
import { admissionLog, requestLog, slowRequestLog } from './request-log.ts';

function linesAt(
  verbosity: number,
  ...lines: { ms: number; path?: string; selector?: string; userAgent?: string }[]
): string[] {
  const texts: string[] = [];
  const log = { info: (_: object, text: string) => void texts.push(text) };
  const write = requestLog(log, verbosity);
  for (const line of lines) {
    write?.({
      method: 'GET',
      path: '/api',
      selector: '',
      code: 200,
      user: 'alice',
      userAgent: 'kubectl',
      isSlow: line.ms > 1000,
      ...line,
    });
  }
  return texts;
}

test('-v 3 tells of every request, but of slow ones, which have a line of their own; below, of none', () => {
  const line = (ms: number) => `GET /api 200 ${ms}ms user="alice" agent="kubectl"`;
  expect(linesAt(3, { ms: 5 }, { ms: 1001 })).toEqual([line(5)]);
  expect(linesAt(2, { ms: 5 }, { ms: 1001 })).toEqual([]);
});

test('slow requests are warnings at every verbosity, with their selectors', () => {
  const texts: string[] = [];
  const log = { warn: (_: object, text: string) => void texts.push(text) };
  const slow = { method: 'GET', path: '/api', selector: 'labelSelector=a b', code: 200, ms: 1500 };
  slowRequestLog(log, 1000)?.onSlow({ ...slow, user: 'alice', userAgent: 'kubectl' });
  expect(texts).toEqual(['slow request: GET /api labelSelector=a b 200 1500ms user="alice" agent="kubectl"']);
  expect(slowRequestLog(log, 0)).toBe(undefined);
});

test('with the selectors of the request', () => {
  const selector = 'fieldSelector=spec.a=b c&filter=self.x > 1';
  expect(linesAt(3, { ms: 5, selector })).toEqual([
    `GET /api ${selector} 200 5ms user="alice" agent="kubectl"`,
  ]);
});

test('requests cannot inject lines, or write long ones', () => {
  const [line = ''] = linesAt(3, { ms: 1, path: '/a b\nI forged', userAgent: `x\r\n${'y'.repeat(500)}` });
  expect(line).toMatch(/^GET \/a%20b\?I%20forged 200 1ms user="alice" agent="x\?\?y{253}\.\.\."$/);
});

test('-v 3 tells of each step of admission, on one line', () => {
  const texts: string[] = [];
  const log = { info: (_: object, text: string) => void texts.push(text) };
  const line = { method: 'POST', path: '/apis/a b', text: 'admission: admit: webhook x: denied\nI forged' };
  admissionLog(log, 3)?.(line);
  expect(texts).toEqual(['POST /apis/a%20b admission: admit: webhook x: denied?I forged']);
  expect(admissionLog(log, 2)).toBe(undefined);
});
