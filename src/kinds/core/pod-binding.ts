import type { KubeObject } from '../../meta/index.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';

/**
 * Lets the endpoint `binding` assign a pod to a node; upstream writes bindings below the strategy.
 * Source: kubernetes, pkg/registry/core/pod/storage, BindingREST.
 */
export function bindable(strategy: Strategy): Strategy {
  return Object.freeze({
    ...strategy,
    prepareForUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext): void {
      if (endpoint !== 'binding') strategy.prepareForUpdate(pod, old, endpoint, context);
    },
    validateUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
      if (endpoint !== 'binding') return strategy.validateUpdate(pod, old, endpoint, context);
      return { errors: [], warnings: [] };
    },
  });
}
