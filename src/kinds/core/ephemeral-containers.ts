import {
  equal,
  type FieldError,
  forbidden,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
} from '../../meta/index.ts';
import { podSpecErrors } from '../rules/pod-spec.ts';
import { textAt } from '../rules/field-checks.ts';
import { specOf } from '../rules/workload.ts';
import { isMirrorPod, type PodPart } from './pod-part.ts';

const field = 'ephemeralContainers';

/** `pods/ephemeralcontainers` adds containers to a pod. Source: kubernetes, ValidatePodEphemeralContainersUpdate. */
export const ephemeralContainers: PodPart = {
  spec(now, was) {
    const { [field]: _, ...rest } = was;
    const added = own(now, field);
    return added === undefined ? rest : { ...rest, [field]: added };
  },
  validate(pod, old) {
    if (isMirrorPod(old)) return [forbidden('[]', 'static pods do not support ephemeral containers')];
    return [...podSpecErrors('spec', specOf(pod)), ...keptErrors(pod, old)];
  },
};

/** Upstream's text of a change ends with a picture of the difference. */
function keptErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const now = new Map(containersOf(pod).map((one) => [textAt(one, 'name'), one]));
  return containersOf(old).flatMap((before) => {
    const name = textAt(before, 'name');
    const after = now.get(name);
    if (after !== undefined && equal(before, after)) return [];
    const what = after === undefined ? 'removed' : 'changed';
    return [forbidden(`spec.${field}`, `existing ephemeral containers "${name}" may not be ${what}\n`)];
  });
}

function containersOf(pod: KubeObject): JsonObject[] {
  return (ownList(specOf(pod), field) ?? []).filter(isObject);
}
