import { expect, test } from 'vitest';
import { DurationHistogram } from './duration-histogram.ts';

const options = { name: 'wait_seconds', help: 'Length of waits', bounds: [0.1, 1] };

test('counts durations in cumulative buckets', () => {
  const histogram = new DurationHistogram(options);
  const gets = histogram.series({ verb: 'GET', group: '' });
  for (const seconds of [0.1, 0.5, 0.5, 7]) gets.observe(seconds);
  expect(histogram.text()).toBe(`# HELP wait_seconds Length of waits
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.1",verb="GET",group=""} 1
wait_seconds_bucket{le="1",verb="GET",group=""} 3
wait_seconds_bucket{le="+Inf",verb="GET",group=""} 4
wait_seconds_sum{verb="GET",group=""} 8.1
wait_seconds_count{verb="GET",group=""} 4
`);
});

test('counts a repeated value each time', () => {
  const histogram = new DurationHistogram(options);
  histogram.series({ verb: 'GET' }).observe(0.5, 3);
  expect(histogram.summaryText('wait_summary', 'Waits')).toBe(`# HELP wait_summary Waits
# TYPE wait_summary summary
wait_summary_sum{verb="GET"} 1.5
wait_summary_count{verb="GET"} 3
`);
  expect(histogram.text()).toContain('wait_seconds_bucket{le="1",verb="GET"} 3\n');
});

test('finds a series by its labels, until it is removed', () => {
  const histogram = new DurationHistogram(options);
  histogram.series({ verb: 'GET' }).observe(2);
  histogram.series({ verb: 'GET' }).observe(3);
  expect(histogram.text()).toContain('wait_seconds_count{verb="GET"} 2\n');
  histogram.remove({ verb: 'GET' });
  expect(histogram.text()).not.toContain('GET');
});

test('omits empty series', () => {
  const histogram = new DurationHistogram(options);
  histogram.series({ verb: 'WATCH' });
  expect(histogram.text()).not.toContain('WATCH');
});

test('escapes quotes, backslashes and line breaks in labels', () => {
  const histogram = new DurationHistogram(options);
  histogram.series({ name: 'a"b\\c\nd' }).observe(1);
  expect(histogram.text()).toContain('wait_seconds_count{name="a\\"b\\\\c\\nd"} 1\n');
});
