import {
  checkDnsLabel,
  checkPathSegment,
  declared,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  parseGroupVersion,
  required,
} from '../../meta/index.ts';
import {
  compareQuantities,
  eachIn,
  invalidAs,
  numberAt,
  requiredAs,
  supported,
  textAt,
} from '../rules/field-checks.ts';
import { specOf } from '../rules/workload.ts';

/** What a HorizontalPodAutoscaler is held to. Source: kubernetes, pkg/apis/autoscaling/validation. */
export function autoscalerErrors(autoscaler: KubeObject): FieldError[] {
  const spec = specOf(autoscaler);
  const behavior = ownObject(spec, 'behavior') ?? {};
  return [
    ...boundsErrors(spec),
    ...referenceErrors('spec.scaleTargetRef', ownObject(spec, 'scaleTargetRef') ?? {}, { needsGroup: true }),
    ...metricsErrors(spec),
    ...scalingRulesErrors('spec.behavior.scaleUp', ownObject(behavior, 'scaleUp')),
    ...scalingRulesErrors('spec.behavior.scaleDown', ownObject(behavior, 'scaleDown')),
  ];
}

function boundsErrors(spec: JsonObject): FieldError[] {
  const [min, max] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0];
  return [
    ...(min !== undefined && min < 0
      ? [declared(invalid('spec.minReplicas', min, 'must be greater than or equal to 0'))]
      : []),
    ...(max === 0 ? [declared(required('spec.maxReplicas'))] : []),
    ...(max < 0 ? [declared(invalid('spec.maxReplicas', max, 'must be greater than or equal to 1'))] : []),
    ...(min !== undefined && max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
  ];
}

function referenceErrors(
  path: string,
  reference: JsonObject,
  { needsGroup }: { readonly needsGroup: boolean },
): FieldError[] {
  const version = textAt(reference, 'apiVersion');
  const parsed = parseGroupVersion(version);
  const isWithoutGroup = version === '' || parsed?.group === '';
  return [
    ...requiredAs(`${path}.kind`, textAt(reference, 'kind'), checkPathSegment),
    ...requiredAs(`${path}.name`, textAt(reference, 'name'), checkPathSegment),
    ...(parsed === undefined && version !== ''
      ? [invalid(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`)]
      : []),
    ...(isWithoutGroup && needsGroup
      ? [invalid(`${path}.apiVersion`, version, 'apiVersion must specify API group')]
      : []),
  ];
}

function metricsErrors(spec: JsonObject): FieldError[] {
  const errors = eachIn('spec', spec, 'metrics', metricErrors);
  const scalesToZero = numberAt(spec, 'minReplicas') === 0;
  const isSeenWithoutPods = eachIn('spec', spec, 'metrics', (metric) =>
    ['Object', 'External'].includes(textAt(metric, 'type')) ? [required('')] : [],
  );
  if (!scalesToZero || isSeenWithoutPods.length > 0) return errors;
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [...errors, forbidden('spec.metrics', why)];
}

/** The fields of a metric by the type that they belong to, in upstream's order. */
const sources: readonly { readonly type: string; readonly field: string; readonly check: SourceCheck }[] = [
  { type: 'Object', field: 'object', check: objectErrors },
  { type: 'External', field: 'external', check: externalErrors },
  { type: 'Pods', field: 'pods', check: podsErrors },
  { type: 'Resource', field: 'resource', check: resourceErrors },
  { type: 'ContainerResource', field: 'containerResource', check: containerErrors },
];
type SourceCheck = (source: JsonObject, path: string) => FieldError[];
const types = sources.map(({ type }) => type).sort();

function metricErrors(metric: JsonObject, path: string): FieldError[] {
  const type = textAt(metric, 'type');
  const present = sources.filter(({ field }) => ownObject(metric, field) !== undefined);
  const [first] = present;
  const wanted = sources.find((source) => source.type === type);
  const unknown = wanted === undefined ? [notSupported(`${path}.type`, type, types)] : [];
  const missing = 'must populate information for the given metric source';
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(first === undefined
      ? []
      : first.check(ownObject(metric, first.field) ?? {}, `${path}.${first.field}`)),
    ...(wanted !== undefined && !present.includes(wanted)
      ? [required(`${path}.${wanted.field}`, missing)]
      : []),
    ...(present.length === 1 ? [] : present)
      .filter((source) => source !== wanted)
      .map(({ field }) => forbidden(`${path}.${field}`, 'must populate the given metric source only')),
  ];
}

function identifierErrors(path: string, source: JsonObject): FieldError[] {
  const name = textAt(ownObject(source, 'metric') ?? {}, 'name');
  if (name === '') return [required(`${path}.metric.name`, 'must specify a metric name')];
  return invalidAs(`${path}.metric.name`, name, checkPathSegment);
}

const targetOf = (source: JsonObject): JsonObject => ownObject(source, 'target') ?? {};

function targetErrors(path: string, source: JsonObject): FieldError[] {
  const target = targetOf(source);
  const type = textAt(target, 'type');
  const use = numberAt(target, 'averageUtilization');
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(type);
  const notPositive = (value: JsonValue | undefined) => value !== undefined && compareQuantities(value) <= 0;
  return [
    ...(type === '' ? [required(`${path}.target.type`, 'must specify a metric target type')] : []),
    ...(isKnown
      ? []
      : [invalid(`${path}.target.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue']
      .filter((field) => notPositive(own(target, field)))
      .map((field) => invalid(`${path}.target.${field}`, own(target, field), 'must be positive')),
    ...(use !== undefined && use < 1
      ? [invalid(`${path}.target.averageUtilization`, use, 'must be greater than 0')]
      : []),
  ];
}

function objectErrors(source: JsonObject, path: string): FieldError[] {
  const target = targetOf(source);
  const isSet = own(target, 'value') !== undefined || own(target, 'averageValue') !== undefined;
  const described = ownObject(source, 'describedObject') ?? {};
  return [
    ...referenceErrors(`${path}.describedObject`, described, { needsGroup: false }),
    ...identifierErrors(path, source),
    ...targetErrors(path, source),
    ...(isSet
      ? []
      : [required(`${path}.target.averageValue`, 'must set either a target value or averageValue')]),
  ];
}

function externalErrors(source: JsonObject, path: string): FieldError[] {
  const target = targetOf(source);
  const [value, average] = [own(target, 'value'), own(target, 'averageValue')];
  const [none, both] = [
    'must set either a target value for metric or a per-pod target',
    'may not set both a target value for metric and a per-pod target',
  ];
  return [
    ...identifierErrors(path, source),
    ...targetErrors(path, source),
    ...(value === undefined && average === undefined ? [required(`${path}.target.averageValue`, none)] : []),
    ...(value !== undefined && average !== undefined ? [forbidden(`${path}.target.value`, both)] : []),
  ];
}

function podsErrors(source: JsonObject, path: string): FieldError[] {
  const isSet = own(targetOf(source), 'averageValue') !== undefined;
  return [
    ...identifierErrors(path, source),
    ...targetErrors(path, source),
    ...(isSet
      ? []
      : [required(`${path}.target.averageValue`, 'must specify a positive target averageValue')]),
  ];
}

function resourceErrors(source: JsonObject, path: string): FieldError[] {
  return [...resourceNameErrors(source, path), ...resourceTargetErrors(source, path)];
}

function containerErrors(source: JsonObject, path: string): FieldError[] {
  const container = textAt(source, 'container');
  return [
    ...resourceNameErrors(source, path),
    ...(container === ''
      ? [required(`${path}.container`, 'must specify a container')]
      : invalidAs(`${path}.container`, container, checkDnsLabel)),
    ...resourceTargetErrors(source, path),
  ];
}

function resourceNameErrors(source: JsonObject, path: string): FieldError[] {
  return textAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : [];
}

function resourceTargetErrors(source: JsonObject, path: string): FieldError[] {
  const target = targetOf(source);
  const [use, average] = [own(target, 'averageUtilization'), own(target, 'averageValue')];
  const [none, both] = [
    'must set either a target raw value or a target utilization',
    'may not set both a target raw value and a target utilization',
  ];
  return [
    ...targetErrors(path, source),
    ...(use === undefined && average === undefined
      ? [required(`${path}.target.averageUtilization`, none)]
      : []),
    ...(use !== undefined && average !== undefined ? [forbidden(`${path}.target.averageValue`, both)] : []),
  ];
}

const windowSecondsMax = 3600;
const periodSecondsMax = 1800;

function scalingRulesErrors(path: string, rules: JsonObject | undefined): FieldError[] {
  if (rules === undefined) return [];
  const window = numberAt(rules, 'stabilizationWindowSeconds') ?? 0;
  const where = `${path}.stabilizationWindowSeconds`;
  const tolerance = own(rules, 'tolerance');
  return [
    ...(window < 0 ? [invalid(where, window, 'must be greater than or equal to zero')] : []),
    ...(window > windowSecondsMax
      ? [invalid(where, window, `must be less than or equal to ${windowSecondsMax}`)]
      : []),
    ...supported(`${path}.selectPolicy`, own(rules, 'selectPolicy'), ['Disabled', 'Max', 'Min']),
    ...((ownList(rules, 'policies') ?? []).length === 0
      ? [required(`${path}.policies`, 'must specify at least one Policy')]
      : []),
    ...eachIn(path, rules, 'policies', policyErrors),
    ...(tolerance !== undefined && compareQuantities(tolerance) < 0
      ? [invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ];
}

function policyErrors(policy: JsonObject, path: string): FieldError[] {
  const [value, period] = [numberAt(policy, 'value') ?? 0, numberAt(policy, 'periodSeconds') ?? 0];
  const tooSmall = 'must be greater than zero';
  return [
    ...supported(`${path}.type`, textAt(policy, 'type'), ['Percent', 'Pods']),
    ...(value <= 0 ? [invalid(`${path}.value`, value, tooSmall)] : []),
    ...(period <= 0 ? [invalid(`${path}.periodSeconds`, period, tooSmall)] : []),
    ...(period > periodSecondsMax
      ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${periodSecondsMax}`)]
      : []),
  ];
}
