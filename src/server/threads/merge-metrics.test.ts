import { expect, test } from 'vitest';
import { mergeMetrics } from './merge-metrics.ts';

const head = (name: string, type: string) => `# HELP ${name} What it is.\n# TYPE ${name} ${type}\n`;

test('adds counters, gauges and histograms by their labels', () => {
  const text = (a: number, b: string) =>
    `${head('requests_total', 'counter')}requests_total{verb="GET"} ${a}\n${b}` +
    `${head('seconds', 'histogram')}seconds_bucket{le="0.5"} ${a}\nseconds_bucket{le="+Inf"} ${a + 1}\nseconds_sum 0.${a}\nseconds_count ${a + 1}\n`;
  expect(mergeMetrics([text(1, ''), text(2, 'requests_total{verb="a b\\"}"} 7\n')])).toBe(
    `${head('requests_total', 'counter')}requests_total{verb="GET"} 3\nrequests_total{verb="a b\\"}"} 7\n` +
      `${head('seconds', 'histogram')}seconds_bucket{le="0.5"} 3\nseconds_bucket{le="+Inf"} 5\nseconds_sum 0.30000000000000004\nseconds_count 5\n`,
  );
});

test('takes the largest value of what is the same in all threads, and of delays', () => {
  const text = (value: string) =>
    `${head('process_resident_memory_bytes', 'gauge')}process_resident_memory_bytes ${value}\n` +
    `${head('ilk_event_loop_delay_seconds', 'gauge')}ilk_event_loop_delay_seconds{quantile="0.99"} ${value}\n` +
    `${head('a_last_timestamp_seconds', 'gauge')}a_last_timestamp_seconds ${value}\n`;
  expect(mergeMetrics([text('2'), text('10'), text('3')])).toBe(text('10'));
});

test('keeps families without samples, and values that are no numbers', () => {
  const empty = head('nothing', 'gauge');
  const text = (value: string) => `${empty}${head('g', 'gauge')}g ${value}\n${head('last', 'counter')}`;
  expect(mergeMetrics([text('+Inf'), text('1')])).toBe(text('+Inf'));
  expect(mergeMetrics([text('NaN')])).toBe(text('NaN'));
  expect(mergeMetrics([text('-Inf'), text('-Inf')])).toBe(text('-Inf'));
});

test('a family that only a later thread has comes with its head', () => {
  const a = `${head('a', 'gauge')}a 1\n`;
  const b = `${head('b', 'gauge')}b{x="1"} 2\n`;
  expect(mergeMetrics([a, `${b}${a}`])).toBe(`${head('a', 'gauge')}a 2\n${b}`);
});
