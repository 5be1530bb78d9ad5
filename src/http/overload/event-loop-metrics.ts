import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricFamily } from '../metrics/index.ts';

const quantiles = [50, 90, 99] as const;
const resolutionMs = 20;

/** The delay of the event loop by quantile since the last scrape: requests wait that long before they are read. */
export function eventLoopMetrics(): { readonly family: MetricFamily; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const family: MetricFamily = {
    kind: 'gauge',
    name: 'ilk_event_loop_delay_seconds',
    help: 'Event loop delay since the last scrape, by quantile; delays below the resolution of 20 ms count as 0.',
    labelNames: ['quantile'],
    *read() {
      for (const quantile of quantiles) {
        const seconds = Math.max(0, delay.percentile(quantile) / 1e9 - resolutionMs / 1000);
        yield { labels: { quantile: String(quantile / 100) }, value: delay.count === 0 ? 0 : seconds };
      }
      delay.reset();
    },
  };
  return { family, stop: () => delay.disable() };
}
