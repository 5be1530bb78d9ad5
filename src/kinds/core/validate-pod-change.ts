import {
  equal,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { addressErrors } from '../rules/validate-address.ts';
import { eachIn, numberAt, textAt, within } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';

/** The fields of a pod that an update may change. Source: kubernetes, pkg/apis/core/validation, ValidatePodUpdate. */

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];
const unchangeable = `pod updates may not change fields other than ${changeable.join(',')}`;

export function podChangeErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  const lists = ['containers', 'initContainers'].filter(
    (list) => (ownList(spec, list) ?? []).length !== (ownList(before, list) ?? []).length,
  );
  const [changed] = lists;
  if (changed !== undefined) {
    return [forbidden(`spec.${changed}`, 'pod updates may not add or remove containers')];
  }
  const deadline = deadlineErrors(spec, before);
  if (deadline.isFinal) return deadline.errors;
  return [
    ...deadline.errors,
    ...tolerationErrors(spec, before),
    ...gateErrors(spec, before),
    ...otherErrors(spec, before),
  ];
}

const deadlineMax = 2_147_483_647;

/** A pod may get a deadline, and a shorter one. After some mistakes upstream looks no further. */
function deadlineErrors(
  spec: JsonObject,
  before: JsonObject,
): { readonly errors: FieldError[]; readonly isFinal: boolean } {
  const path = 'spec.activeDeadlineSeconds';
  const [now, was] = [numberAt(spec, 'activeDeadlineSeconds'), numberAt(before, 'activeDeadlineSeconds')];
  if (now === undefined) {
    const gone = invalid(path, null, 'must not update from a positive integer to nil value');
    return { errors: was === undefined ? [] : [gone], isFinal: false };
  }
  const outside = within(path, now, 0, deadlineMax);
  if (outside.length > 0) return { errors: outside, isFinal: true };
  const isLater = was !== undefined && was < now;
  const later = invalid(path, now, 'must be less than or equal to previous value');
  return { errors: isLater ? [later] : [], isFinal: isLater };
}

const withoutSeconds = ({ tolerationSeconds: _, ...rest }: JsonObject) => rest;

function tolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const now = (ownList(spec, 'tolerations') ?? []).filter(isObject).map(withoutSeconds);
  const was = (ownList(before, 'tolerations') ?? []).filter(isObject).map(withoutSeconds);
  const areKept = was.every((one) => now.some((other) => equal(one, other)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return areKept ? [] : [forbidden('spec.tolerations', why)];
}

function gateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set((ownList(before, 'schedulingGates') ?? []).filter(isObject).map(gateName));
  return eachIn('spec', spec, 'schedulingGates', (gate, path) => {
    const why = `only deletion is allowed, but found new scheduling gate '${gateName(gate)}'`;
    return known.has(gateName(gate)) ? [] : [forbidden(`${path}.name`, why)];
  });
}

const gateName = (gate: JsonObject) => textAt(gate, 'name');

/** Upstream's text continues with a diff. */
function otherErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const isGated = (ownList(before, 'schedulingGates') ?? []).length > 0;
  const [now, was] = [fixedPart(spec, isGated), fixedPart(before, isGated)];
  return [
    ...(isGated ? nodeSelectorErrors(spec, before) : []),
    ...(equal(now, was) ? [] : [forbidden('spec', unchangeable)]),
  ];
}

/** A pod with scheduling gates may still get a node selector. */
function fixedPart(spec: JsonObject, isGated: boolean): JsonObject {
  const {
    activeDeadlineSeconds: _,
    schedulingGates: __,
    tolerations: ___,
    containers = null,
    initContainers = null,
    ...fixed
  } = spec;
  if (isGated) {
    delete fixed['nodeSelector'];
    const { nodeAffinity: ____, ...affinity } = ownObject(fixed, 'affinity') ?? {};
    if (Object.keys(affinity).length === 0) delete fixed['affinity'];
    else fixed['affinity'] = affinity;
  }
  return { ...fixed, containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
}

function withoutImages(containers: JsonValue): JsonValue {
  if (!Array.isArray(containers)) return containers;
  return containers.map((container) => {
    if (!isObject(container)) return container;
    const { image: _, ...rest } = container;
    return rest;
  });
}

function nodeSelectorErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, was] = [ownObject(spec, 'nodeSelector') ?? {}, ownObject(before, 'nodeSelector') ?? {}];
  const isKept = Object.entries(was).every(([key, value]) => own(now, key) === value);
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return isKept ? [] : [invalid('spec.nodeSelector', own(spec, 'nodeSelector') ?? null, why)];
}

/** The addresses must be valid; the QoS class is immutable. */
export function podStatusErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const [status, before] = [statusOf(pod), statusOf(old)];
  const quality = own(status, 'qosClass');
  return [
    ...(equal(quality, own(before, 'qosClass'))
      ? []
      : [invalid('status.qosClass', quality ?? '', 'field is immutable')]),
    ...eachIn('status', status, 'podIPs', (one, path) => addressErrors(path, ownString(one, 'ip') ?? '')),
  ];
}
