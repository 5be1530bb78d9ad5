import {
  equal,
  type FieldError,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  stringMap,
} from '../../meta/index.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';
import { resetMetadata } from '../definition/kept-metadata.ts';
import { keepField } from '../strategy/plain-strategy.ts';
import { specOf } from '../rules/workload.ts';

/** A part of the spec of pods that has an endpoint of its own: everything else keeps its old value there. */
export interface PodPart {
  /** The spec with the part of the new one and the rest of the old one. */
  readonly spec: (now: JsonObject, was: JsonObject) => JsonObject;
  /** The errors of every pod, then those of this change. */
  readonly validate: (pod: KubeObject, old: KubeObject) => readonly FieldError[];
}

/** A strategy of pods with the endpoints of these parts. */
export function withPodParts(
  strategy: Strategy,
  parts: Readonly<Partial<Record<Endpoint, PodPart>>>,
): Strategy {
  return Object.freeze({
    ...strategy,
    prepareForUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext): void {
      const part = parts[endpoint];
      if (part === undefined) return strategy.prepareForUpdate(pod, old, endpoint, context);
      const [now, was] = [specOf(pod), specOf(old)];
      pod['spec'] = part.spec(now, was);
      keepField(pod, old, 'status');
      for (const field of resetMetadata) keepField(metadataOf(pod), metadataOf(old), field);
      if (equal(pod['spec'], was)) return;
      metadataOf(pod)['generation'] = Number(own(metadataOf(old), 'generation') ?? 0) + 1;
    },
    validateUpdate(pod: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
      const part = parts[endpoint];
      if (part === undefined) return strategy.validateUpdate(pod, old, endpoint, context);
      const report = context.version.schema().validate({ object: pod, old, scope: 'object' });
      return report.errors.length > 0 ? report : { errors: [...part.validate(pod, old)], warnings: [] };
    },
  });
}

/** True for a pod that a kubelet made from a file. */
export function isMirrorPod(pod: KubeObject): boolean {
  return stringMap(own(metadataOf(pod), 'annotations')).has('kubernetes.io/config.mirror');
}
