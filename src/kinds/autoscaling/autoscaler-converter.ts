import { DecodeError, decodeJson } from '../../codec/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import {
  clone,
  ensureMetadata,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';
import type { Converter } from '../strategy/converter.ts';
import { metricFromV1, metricToV1 } from './metrics-of-v1.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const annotation = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
};
/** What a conversion writes, and takes away before. */
const roundTripAnnotations: readonly string[] = [
  ...Object.values(annotation),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

/** Where autoscaling/v1 has no metric, and its annotations neither. */
const defaultUtilization = 80;

/**
 * Brings HorizontalPodAutoscalers from autoscaling/v2, in which they are stored, into v1 and back. v1 has one metric, the
 * use of processors; annotations carry the others, the behavior and the conditions.
 * Source: kubernetes, pkg/apis/autoscaling/v1/conversion.go.
 *
 * @param v2 the version that is stored, which decides whether an annotation has the right types
 */
export function autoscalerConverter(v2: () => ResourceVersion): Converter {
  return Object.freeze({
    fromStored(object: KubeObject, { name }: ResourceVersion) {
      if (name === 'v1') toV1(object);
    },
    toStored(object: KubeObject) {
      if (object['apiVersion'] === 'autoscaling/v1') fromV1(object, v2());
    },
  });
}

function toV1(object: KubeObject): void {
  object['apiVersion'] = 'autoscaling/v1';
  dropAnnotations(object);
  const [spec, status] = [ownObject(object, 'spec') ?? {}, ownObject(object, 'status') ?? {}];
  const metrics = objectsAt(spec, 'metrics');
  const utilization = metrics.map(utilizationOf).find((value) => value !== undefined);
  const others = metrics.filter((metric) => utilizationOf(metric) === undefined);
  const current = objectsAt(status, 'currentMetrics');
  const conditions = objectsAt(status, 'conditions');
  annotate(
    object,
    annotation.metrics,
    others.map((metric) => metricToV1(metric, 'spec')),
  );
  annotate(
    object,
    annotation.currentMetrics,
    current.map((metric) => metricToV1(metric, 'status')),
  );
  annotate(object, annotation.conditions, conditions.map(conditionOf));
  const behavior = ownObject(spec, 'behavior');
  if (behavior !== undefined) annotate(object, annotation.behavior, behaviorToGo(behavior));
  delete spec['metrics'];
  delete spec['behavior'];
  if (utilization !== undefined) spec['targetCPUUtilizationPercentage'] = utilization;
  delete status['currentMetrics'];
  delete status['conditions'];
  const used = current.map(currentUtilizationOf).findLast((value) => value !== undefined);
  if (used !== undefined) status['currentCPUUtilizationPercentage'] = used;
}

function fromV1(object: KubeObject, v2: ResourceVersion): void {
  object['apiVersion'] = 'autoscaling/v2';
  const annotations = ownObject(metadataOf(object), 'annotations') ?? {};
  const read = (name: string) => parsed(own(annotations, name));
  const fits = (part: JsonObject) => isOf(v2, part);
  const [spec, status] = [ownObject(object, 'spec') ?? {}, ownObject(object, 'status') ?? {}];
  const utilization = own(spec, 'targetCPUUtilizationPercentage');
  delete spec['targetCPUUtilizationPercentage'];
  const others = listOf(read(annotation.metrics))?.map((metric) => metricFromV1(metric, 'spec')) ?? [];
  const metrics = [
    ...(fits({ spec: { metrics: others } }) ? others : []),
    ...(utilization === undefined ? [] : [byProcessors(utilization)]),
  ];
  spec['metrics'] = metrics.length > 0 ? metrics : [byProcessors(defaultUtilization)];
  const behavior = behaviorFromGo(read(annotation.behavior));
  if (behavior !== undefined && fits({ spec: { behavior } })) spec['behavior'] = behavior;
  readStatus(status, { read, fits });
  dropAnnotations(object);
}

interface StatusParts {
  readonly read: (name: string) => JsonValue | undefined;
  readonly fits: (part: JsonObject) => boolean;
}

function readStatus(status: JsonObject, { read, fits }: StatusParts): void {
  const used = own(status, 'currentCPUUtilizationPercentage');
  delete status['currentCPUUtilizationPercentage'];
  if (used !== undefined) {
    const resource = { name: 'cpu', current: { averageUtilization: used } };
    status['currentMetrics'] = [{ type: 'Resource', resource }];
  }
  // The annotation has more information than the field.
  const current = listOf(read(annotation.currentMetrics))?.map((metric) => metricFromV1(metric, 'status'));
  if (current !== undefined && fits({ status: { currentMetrics: current } }))
    status['currentMetrics'] = current;
  const conditions = listOf(read(annotation.conditions));
  if (conditions !== undefined && fits({ status: { conditions } })) status['conditions'] = conditions;
}

const byProcessors = (averageUtilization: JsonValue): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** The target CPU utilization of a metric: the field of v1. */
function utilizationOf(metric: JsonObject): JsonValue | undefined {
  const resource = own(metric, 'type') === 'Resource' ? ownObject(metric, 'resource') : undefined;
  if (resource === undefined || own(resource, 'name') !== 'cpu') return undefined;
  return own(ownObject(resource, 'target') ?? {}, 'averageUtilization');
}

function currentUtilizationOf(metric: JsonObject): JsonValue | undefined {
  const resource = own(metric, 'type') === 'Resource' ? ownObject(metric, 'resource') : undefined;
  if (resource === undefined || own(resource, 'name') !== 'cpu') return undefined;
  return own(ownObject(resource, 'current') ?? {}, 'averageUtilization');
}

function conditionOf(condition: JsonObject): JsonObject {
  const written: JsonObject = {};
  for (const field of ['type', 'status', 'lastTransitionTime', 'reason', 'message']) {
    const value = own(condition, field) ?? (field === 'lastTransitionTime' ? null : undefined);
    if (value !== undefined) written[field] = value;
  }
  return written;
}

/** Upstream writes its internal Go type: names begin with a capital, and nothing is left out. */
const ruleFields = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'] as const;
const policyFields = ['type', 'value', 'periodSeconds'] as const;
const goName = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1);

function behaviorToGo(behavior: JsonObject): JsonObject {
  return goStruct(behavior, ['scaleUp', 'scaleDown'], (rules) =>
    goStruct(rules, ruleFields, (policies) => policies),
  );
}

function goStruct(
  value: JsonObject,
  fields: readonly string[],
  inner: (value: JsonObject) => JsonObject,
): JsonObject {
  const written: JsonObject = {};
  for (const field of fields) {
    const given = own(value, field) ?? null;
    if (Array.isArray(given)) {
      written[goName(field)] = given.filter(isObject).map((item) => goStruct(item, policyFields, inner));
    } else written[goName(field)] = isObject(given) ? inner(given) : given;
  }
  return written;
}

function behaviorFromGo(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const behavior: JsonObject = {};
  for (const field of ['scaleUp', 'scaleDown']) {
    const rules = goField(value, field);
    if (rules !== undefined && isObject(rules)) behavior[field] = rulesFromGo(rules);
  }
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function rulesFromGo(rules: JsonObject): JsonObject {
  const read: JsonObject = {};
  for (const field of ruleFields) {
    const value = goField(rules, field);
    if (value === undefined || value === null) continue;
    read[field] = Array.isArray(value)
      ? value
          .filter(isObject)
          .map((policy) =>
            Object.fromEntries(policyFields.map((name) => [name, goField(policy, name) ?? null])),
          )
      : value;
  }
  return read;
}

/** Go matches field names case-insensitively. */
function goField(value: JsonObject, field: string): JsonValue | undefined {
  const key = Object.keys(value).find((one) => one.toLowerCase() === field.toLowerCase());
  return key === undefined ? undefined : own(value, key);
}

function objectsAt(parent: JsonObject, field: string): JsonObject[] {
  return (ownList(parent, field) ?? []).filter(isObject);
}

/** The objects of a list; undefined for anything else, which the Go types would not take. */
function listOf(value: JsonValue | undefined): JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isObject) ? value.filter(isObject) : undefined;
}

function parsed(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return decodeJson(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** What does not fit the types is left alone, as upstream does. */
function isOf(v2: ResourceVersion, part: JsonObject): boolean {
  const object = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', ...clone(part) };
  try {
    v2.schema().normalize(object, { applyDefaults: false });
    return true;
  } catch (error) {
    if (error instanceof MetadataTypeError) return false;
    throw error;
  }
}

/** HTML's characters are escaped, as Go's encoder does. */
const goJson = (value: JsonValue): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function annotate(object: KubeObject, name: string, value: JsonValue): void {
  if (Array.isArray(value) && value.length === 0) return;
  const metadata = ensureMetadata(object);
  metadata['annotations'] = { ...(ownObject(metadata, 'annotations') ?? {}), [name]: goJson(value) };
}

function dropAnnotations(object: KubeObject): void {
  const metadata = metadataOf(object);
  const annotations = ownObject(metadata, 'annotations');
  if (
    annotations === undefined ||
    !roundTripAnnotations.some((name) => ownString(annotations, name) !== undefined)
  )
    return;
  const kept = Object.entries(annotations).filter(([name]) => !roundTripAnnotations.includes(name));
  if (kept.length === 0) delete metadata['annotations'];
  else metadata['annotations'] = Object.fromEntries(kept);
}
