import type { JsonObject } from '../../../meta/index.ts';
import { metaModels } from './meta-v1.ts';
import { model, ofKind, ref, text, typeMeta } from './notation.ts';

/** The model names of what is posted to the subresources of pods. */
export const podModels = {
  eviction: 'io.k8s.api.policy.v1.Eviction',
  binding: 'io.k8s.api.core.v1.Binding',
} as const;

const objectReference = 'io.k8s.api.core.v1.ObjectReference';

/** Kinds that requests about pods have, and nothing is stored of. */
export const podRequests: JsonObject = {
  [podModels.eviction]: model(
    'A request to evict a pod, posted to its subresource eviction. PodDisruptionBudgets may refuse it.',
    {
      ...typeMeta,
      metadata: { ...ref(metaModels.objectMeta, 'The pod to evict.'), default: {} },
      deleteOptions: ref(metaModels.deleteOptions, 'Options for the deletion of the pod.'),
    },
    { extensions: ofKind('policy', 'v1', 'Eviction') },
  ),
  [podModels.binding]: model(
    'A request to bind a pod to a node, posted by schedulers.',
    {
      ...typeMeta,
      metadata: { ...ref(metaModels.objectMeta, 'The pod to bind.'), default: {} },
      target: { ...ref(objectReference, 'The node.'), default: {} },
    },
    { required: ['target'], extensions: ofKind('', 'v1', 'Binding') },
  ),
  [objectReference]: model(
    'A reference to an object.',
    {
      apiVersion: text('The API version of the object.'),
      fieldPath: text('A part of the object, as a path in JavaScript notation.'),
      kind: text('The kind of the object.'),
      name: text('The name of the object.'),
      namespace: text('The namespace of the object.'),
      resourceVersion: text('The resourceVersion that the reference is about, if it is about one.'),
      uid: text('The uid of the object.'),
    },
    { extensions: { 'x-kubernetes-map-type': 'atomic' } },
  ),
};
