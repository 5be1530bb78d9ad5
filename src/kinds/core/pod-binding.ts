import { forbidden, type KubeObject, ownString } from '../../meta/index.ts';
import { specOf } from '../rules/workload.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';
import { keepField } from '../strategy/plain-strategy.ts';

/**
 * Lets the endpoint `binding` put a pod on a node, which nothing else may after the pod was made.
 * Source: kubernetes, pkg/registry/core/pod/storage, BindingREST.
 */
export function bindable(strategy: Strategy): Strategy {
  return Object.freeze({
    ...strategy,
    prepareForUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext): void {
      if (endpoint !== 'binding') return strategy.prepareForUpdate(pod, old, endpoint, context);
      const nodeName = ownString(specOf(pod), 'nodeName') ?? '';
      keepField(pod, old, 'status');
      pod['spec'] = { ...specOf(old), nodeName };
    },
    validateUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
      if (endpoint !== 'binding') return strategy.validateUpdate(pod, old, endpoint, context);
      const isBound = (ownString(specOf(old), 'nodeName') ?? '') !== '';
      const errors = isBound ? [forbidden('spec.nodeName', 'the pod is bound already')] : [];
      return { errors, warnings: [] };
    },
  });
}
