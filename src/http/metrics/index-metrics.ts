import type { Registry } from '../../registry/index.ts';
import type { MetricFamily } from './request-metrics.ts';

const labelNames = ['group', 'resource', 'field'] as const;

/** The size and cost of the indexes for selectors, by kind and field. */
export function indexMetrics(registry: Registry): MetricFamily[] {
  return [
    {
      kind: 'gauge',
      name: 'ilk_selector_index_entries',
      help: 'Entries of a selector index: one for each object and value.',
      labelNames,
      *read() {
        for (const { entries, ...labels } of registry.indexSizes())
          yield { labels: named(labels), value: entries };
      },
    },
    {
      kind: 'gauge',
      name: 'ilk_selector_index_values',
      help: 'Distinct values of a selector index.',
      labelNames,
      *read() {
        for (const { values, ...labels } of registry.indexSizes())
          yield { labels: named(labels), value: values };
      },
    },
    {
      kind: 'counter',
      name: 'ilk_selector_index_changes_total',
      help: 'Updates of a selector index since it was built.',
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
