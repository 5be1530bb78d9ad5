import { isObject, type JsonObject, type KubeObject, ownList, ownObject } from '../../meta/index.ts';

/** What is scaled by where nothing is said. Source: kubernetes, pkg/apis/autoscaling/v2/defaults.go. */
const byProcessors: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** How fast it grows and shrinks, once anything is said of that. */
const growth: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const shrinking: JsonObject = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Fills in a metric, and the rules of a behavior. */
export function completeAutoscaler(autoscaler: KubeObject): void {
  const spec = ownObject(autoscaler, 'spec');
  if (spec === undefined) return;
  if ((ownList(spec, 'metrics') ?? []).length === 0) spec['metrics'] = [structuredClone(byProcessors)];
  const behavior = ownObject(spec, 'behavior');
  if (behavior === undefined) return;
  behavior['scaleUp'] = completeRules(behavior['scaleUp'], growth);
  behavior['scaleDown'] = completeRules(behavior['scaleDown'], shrinking);
}

function completeRules(given: unknown, defaults: JsonObject): JsonObject {
  return { ...structuredClone(defaults), ...(isObject(given) ? given : {}) };
}
