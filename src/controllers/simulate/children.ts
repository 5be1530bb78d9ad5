import {
  equal,
  type JsonObject,
  type KubeObject,
  nameOf,
  namespaceOf,
  own,
  ownObject,
} from '../../meta/index.ts';
import { annotationOf, controllerReference, isDeleted, specOf, templateOf } from './fields.ts';
import { isTerminal } from './pods.ts';
import type { Cluster } from './reconciler.ts';
import { pods, type ResourceName } from './resources.ts';

/** Parts of a pod that its template does not define. */
interface PodDetails {
  readonly name: string;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly spec?: JsonObject;
}

/** A pod of a template. */
export function podOf(
  owner: KubeObject,
  resource: ResourceName,
  { name, labels = {}, annotations = {}, spec = {} }: PodDetails,
): JsonObject & { metadata: JsonObject } {
  const template = templateOf(owner);
  const metadata = ownObject(template, 'metadata') ?? {};
  return {
    metadata: {
      ...metadata,
      name,
      namespace: namespaceOf(owner),
      labels: { ...ownObject(metadata, 'labels'), ...labels },
      annotations: { ...ownObject(metadata, 'annotations'), ...annotations },
      ownerReferences: [controllerReference(owner, resource)],
    },
    spec: { ...specOf(template), ...spec },
  };
}

/** The pods of a controller that count: neither done nor on their way out. */
export function activePods(owner: KubeObject, { view }: Cluster): KubeObject[] {
  return view.owned(owner, pods).filter((pod) => !isTerminal(pod) && !isDeleted(pod));
}

/** The first of the names that nothing has. */
export function freeName(owner: KubeObject, { view }: Cluster, nameAt: (index: number) => string): string {
  for (let index = 0; ; index += 1) {
    const name = nameAt(index);
    if (view.get(pods, `${namespaceOf(owner)}/${name}`) === undefined) return name;
  }
}

const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Annotations that go from a controller to what it makes. */
export function inheritedAnnotations(owner: KubeObject): JsonObject {
  const all = ownObject(ownObject(owner, 'metadata') ?? {}, 'annotations') ?? {};
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== appliedAnnotation));
}

/** Whether two templates are the same but for the hash of the template. */
export function isSameTemplate(a: JsonObject, b: JsonObject): boolean {
  return equal(withoutHash(a), withoutHash(b));
}

function withoutHash(template: JsonObject): JsonObject {
  const metadata = ownObject(template, 'metadata') ?? {};
  const { 'pod-template-hash': _, ...labels } = ownObject(metadata, 'labels') ?? {};
  return { ...template, metadata: { ...metadata, labels } };
}

/** The number in an annotation, 0 where it is none. */
export const countIn = (object: KubeObject, annotation: string): number =>
  Number(annotationOf(object, annotation) ?? 0) || 0;

export const isPaused = (object: KubeObject): boolean => own(specOf(object), 'paused') === true;
export const byName = (a: KubeObject, b: KubeObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);
