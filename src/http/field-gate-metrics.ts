import type { Registry } from '../registry/index.ts';
import type { MetricFamily } from './metrics.ts';

const labelNames = ['crd', 'name'] as const;

/** The states of the gates on fields (KEP-2608), and what they did to writes. */
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
      help: 'Fields that writes set for the first time, and that were dropped because their feature gate is disabled.',
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
      help: 'Fields that writes changed or left out, and that stayed because their feature gate is disabled.',
      labelNames,
      *read() {
        for (const { crd, gate, count } of registry.fieldGates()) {
          yield { labels: { crd, name: gate.name }, value: count.frozen };
        }
      },
    },
  ];
}
