export { DurationHistogram } from './duration-histogram.ts';
export { fieldGateMetrics, frozenObjectMetrics } from './field-gate-metrics.ts';
export { indexMetrics } from './index-metrics.ts';
export { type MetricFamily, type MetricSource, RequestMetrics } from './request-metrics.ts';
