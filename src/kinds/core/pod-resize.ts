import {
  equal,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { podSpecErrors } from '../rules/pod-spec.ts';
import { eachItem, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { isMirrorPod, type PodPart } from './pod-part.ts';
import { qosClass } from './qos-class.ts';

/** `pods/resize` changes what containers request and may use. Source: kubernetes, dropNonResizeUpdates, ValidatePodResize. */
export const podResize: PodPart = {
  spec(now, was) {
    if (lists.some((list) => listIn(now, list).length !== listIn(was, list).length)) return now;
    const { resources: before, ...rest } = was;
    const ofPod = own(now, 'resources') ?? before;
    const resized = lists.filter((list) => Object.hasOwn(was, list));
    return {
      ...rest,
      ...(ofPod === undefined ? {} : { resources: ofPod }),
      ...Object.fromEntries(resized.map((list) => [list, resizedContainers(now, was, list)])),
    };
  },
  validate(pod, old) {
    if (isMirrorPod(old)) return [forbidden('[]', 'static pods cannot be resized')];
    const system = ownObject(specOf(old), 'os');
    if (system !== undefined && own(system, 'name') === 'windows') {
      return [forbidden('[]', 'windows pods cannot be resized')];
    }
    return [...podSpecErrors('spec', specOf(pod)), ...changeErrors(pod, old)];
  },
};

const lists = ['initContainers', 'containers'] as const;
type ContainerList = (typeof lists)[number];

const listIn = (spec: JsonObject, list: ContainerList) => (ownList(spec, list) ?? []).filter(isObject);

/** The old containers with the new resources; the new ones where the names differ, which validation refuses. */
function resizedContainers(now: JsonObject, was: JsonObject, list: ContainerList): JsonObject[] {
  const [after, before] = [listIn(now, list), listIn(was, list)];
  if (after.some((one, index) => own(one, 'name') !== own(before[index] ?? {}, 'name'))) return after;
  return after.map((one, index) => {
    const { resources: _, resizePolicy: __, ...rest } = before[index] ?? {};
    const taken = ['resources', 'resizePolicy'].filter((field) => own(one, field) !== undefined);
    return { ...rest, ...Object.fromEntries(taken.map((field) => [field, own(one, field) ?? null])) };
  });
}

function changeErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  const quality = textAt(statusOf(old), 'qosClass');
  const why = 'Pod QOS Class may not change as a result of resizing';
  const isSupported = runsWithResources(old);
  const errors = [
    ...((quality === '' ? qosClass(old) : quality) === qosClass(pod)
      ? []
      : [invalid('spec', textAt(statusOf(pod), 'qosClass'), why)]),
    ...(isSupported ? [] : [forbidden('spec', 'Pod running on node without support for resize')]),
    ...podLevelErrors(spec, before),
  ];
  const misplaced = orderErrors(spec, before);
  if (misplaced.length > 0) return [...errors, ...misplaced];
  return [
    ...errors,
    ...lists.flatMap((list) => removedErrors(spec, before, list)),
    ...mutableErrors(spec, before),
  ];
}

/** A kubelet that can resize reports the resources of running containers. */
function runsWithResources(pod: KubeObject): boolean {
  const running = (ownList(statusOf(pod), 'containerStatuses') ?? [])
    .filter(isObject)
    .find((status) => ownObject(ownObject(status, 'state') ?? {}, 'running') !== undefined);
  return running === undefined || own(running, 'resources') !== undefined;
}

function podLevelErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, was] = [ownObject(spec, 'resources') ?? {}, ownObject(before, 'resources') ?? {}];
  if (Object.keys({ ...now, ...was }).length === 0) return [];
  return [
    ...removed(now, was, 'spec.resources', 'pod-level resource '),
    ...(equal(withoutAmounts(now), withoutAmounts(was))
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable at pod-level')]),
  ];
}

/** Containers are neither added nor removed, and stay in their order. */
function orderErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const [now, was] = [listIn(spec, list), listIn(before, list)];
    if (now.length !== was.length) {
      return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
    }
    return eachItem(`spec.${list}`, was, (one, path, index) =>
      own(now[index] ?? {}, 'name') === own(one, 'name')
        ? []
        : [forbidden(`${path}.name`, `${list} may not be renamed or reordered on resize`)],
    );
  });
}

function removedErrors(spec: JsonObject, before: JsonObject, list: ContainerList): FieldError[] {
  const now = listIn(spec, list);
  return eachItem(`spec.${list}`, listIn(before, list), (one, path, index) =>
    removed(resourcesOf(now[index]), resourcesOf(one), `${path}.resources`, 'resource '),
  );
}

const resourcesOf = (container: JsonObject | undefined) => ownObject(container ?? {}, 'resources') ?? {};

function removed(now: JsonObject, was: JsonObject, path: string, what: string): FieldError[] {
  return ['requests', 'limits'].flatMap((field) => {
    const [left, names] = [ownObject(now, field) ?? {}, Object.keys(ownObject(was, field) ?? {})];
    const isKept = names.every((name) => Object.hasOwn(left, name));
    return isKept ? [] : [forbidden(`${path}.${field}`, `${what}${field} cannot be removed`)];
  });
}

const onlyAmounts = 'only cpu and memory resources are mutable';
const onlyAmountsOfInit = 'only cpu and memory resources for init or sidecar containers are mutable';
const noRestart = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';

/** Of containers, only cpu and memory change. */
function mutableErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const was = listIn(before, 'containers');
  const wasInit = listIn(before, 'initContainers');
  return [
    ...listIn(spec, 'containers').flatMap((one, index) =>
      isSameBesides(one, was[index] ?? {}) ? [] : [forbidden('spec', onlyAmounts)],
    ),
    ...eachItem('spec.initContainers', listIn(spec, 'initContainers'), (one, path, index) => [
      ...(isSameBesides(one, wasInit[index] ?? {}) ? [] : [forbidden(path, onlyAmountsOfInit)]),
      ...restartErrors(one, wasInit[index] ?? {}, path),
    ]),
  ];
}

function restartErrors(container: JsonObject, before: JsonObject, path: string): FieldError[] {
  if (equal(container, before) || ownString(container, 'restartPolicy') === 'Always') return [];
  const policies = (ownList(container, 'resizePolicy') ?? []).filter(isObject);
  const restarting = policies.filter((policy) => own(policy, 'restartPolicy') === 'RestartContainer');
  return restarting.map(() => forbidden(path, noRestart));
}

function isSameBesides(container: JsonObject, before: JsonObject): boolean {
  const rest = (one: JsonObject) => ({ ...one, resources: withoutAmounts(resourcesOf(one)) });
  return equal(rest(container), rest(before));
}

/** Resources without what may change. */
function withoutAmounts(resources: JsonObject): JsonObject {
  const fields = ['limits', 'requests'].flatMap((field) => {
    const { cpu: _, memory: __, ...rest } = ownObject(resources, field) ?? {};
    return Object.keys(rest).length === 0 ? [] : [[field, rest] as const];
  });
  const { limits: _, requests: __, ...others } = resources;
  return { ...others, ...Object.fromEntries(fields) };
}
