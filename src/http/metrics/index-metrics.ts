import type { Registry } from '../../registry/index.ts';
import type { MetricFamily } from './request-metrics.ts';

const labelNames = ['group', 'resource', 'field'] as const;

/** The size and cost of the indexes for selectors, by kind and field. */
export function indexMetrics(registry: Registry): MetricFamily[] {
  return [
    {
      kind: 'gauge',
      name: 'ilk_selector_index_entries',
      help: 'Entries in an index that selectors are answered from: one for each object and value.',
      labelNames,
      *read() {
        for (const { entries, ...labels } of registry.indexSizes())
          yield { labels: named(labels), value: entries };
      },
    },
    {
      kind: 'gauge',
      name: 'ilk_selector_index_values',
      help: 'Different values in an index that selectors are answered from.',
      labelNames,
      *read() {
        for (const { values, ...labels } of registry.indexSizes())
          yield { labels: named(labels), value: values };
      },
    },
    {
      kind: 'counter',
      name: 'ilk_selector_index_changes_total',
      help: 'Changes of an index since it was made: by objects that came, went, or got another value.',
      labelNames,
      *read() {
        for (const { changes, ...labels } of registry.indexSizes())
          yield { labels: named(labels), value: changes };
      },
    },
  ];
}

function named({
  group,
  resource,
  field,
}: Record<(typeof labelNames)[number], string>): Record<string, string> {
  return { group, resource, field };
}
