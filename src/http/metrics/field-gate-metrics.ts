import { Gauge, Registry as PromRegistry } from 'prom-client';
import type { Registry } from '../../registry/index.ts';
import type { MetricFamily, MetricSource } from './request-metrics.ts';

const labelNames = ['crd', 'name'] as const;

/** The states of the gates on fields (KEP-2608), and their effects on writes. */
export function fieldGateMetrics(registry: Registry): MetricFamily[] {
  return [
    {
      kind: 'gauge',
      name: 'ilk_custom_feature_enabled',
      help: 'Whether a feature gate on fields of a custom resource is enabled, by CRD, name, stage and component.',
      labelNames: [...labelNames, 'stage', 'component'],
      *read() {
        for (const { crd, gate } of registry.fieldGates()) {
          const { name, preRelease: stage, component, enabled } = gate;
          yield { labels: { crd, name, stage, component }, value: enabled ? 1 : 0 };
        }
      },
    },
    {
      kind: 'counter',
      name: 'ilk_custom_feature_fields_dropped_total',
      help: 'Fields that writes newly set and that were dropped because their feature gate is disabled.',
      labelNames,
      *read() {
        for (const { crd, gate, count } of registry.fieldGates()) {
          yield { labels: { crd, name: gate.name }, value: count.dropped };
        }
      },
    },
    {
      kind: 'counter',
      name: 'ilk_custom_feature_fields_frozen_total',
      help: 'Fields that writes changed or removed and that kept their value because their feature gate is disabled.',
      labelNames,
      *read() {
        for (const { crd, gate, count } of registry.fieldGates()) {
          yield { labels: { crd, name: gate.name }, value: count.frozen };
        }
      },
    },
  ];
}

const frozenName = 'ilk_custom_feature_frozen_objects';

/** The maximum time for counting objects during a scrape; gates not counted by then are omitted. */
const countMsMax = 5_000;

/** The number of objects with a value in a frozen field, by gate. */
export function frozenObjectMetrics(registry: Registry): MetricSource {
  return {
    async metrics() {
      const gauge = new Gauge({
        name: frozenName,
        help: 'Stored objects with a field whose feature gate is disabled.',
        labelNames,
        registers: [],
      });
      const registers = new PromRegistry();
      registers.registerMetric(gauge);
      const options = { signal: AbortSignal.timeout(countMsMax), fresh: 'cached' } as const;
      for (const { crd, gate, objects } of await registry.frozenObjects(options)) {
        gauge.set({ crd, name: gate.name }, objects);
      }
      return registers.metrics();
    },
  };
}
