import { isObject, type KubeObject, own, ownList, ownObject } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../chain.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/**
 * Taints new nodes until a controller finds them ready, so that no pod is scheduled on them before.
 * Source: kubernetes, plugin/pkg/admission/nodetaint.
 */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    isRepeatable: true,
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && subresource === '' && resource.resource === 'nodes' && resource.group === '',
    async admit(attributes) {
      const { object } = attributes;
      if (object !== undefined && !isTainted(object)) attributes.replaceObject(tainted(object));
    },
  };
}

function isTainted(node: KubeObject): boolean {
  const taints = ownList(ownObject(node, 'spec') ?? {}, 'taints') ?? [];
  return taints.some(
    (taint) =>
      isObject(taint) && own(taint, 'key') === notReady.key && own(taint, 'effect') === notReady.effect,
  );
}

function tainted(node: KubeObject): KubeObject {
  const spec = ownObject(node, 'spec') ?? {};
  return { ...node, spec: { ...spec, taints: [...(ownList(spec, 'taints') ?? []), { ...notReady }] } };
}
