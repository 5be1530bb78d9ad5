import { isObject, type JsonObject, type JsonValue, own, ownObject, ownString } from '../../meta/index.ts';

/** A field of autoscaling/v1, where it is in v2, and what Go writes where it is missing. */
type FieldRow = readonly [v1: string, v2: readonly string[], zero?: JsonValue];

/** What one type of metric is called, and its fields in the order of the Go struct. */
interface MetricRow {
  readonly type: string;
  readonly field: string;
  readonly spec: readonly FieldRow[];
  readonly status: readonly FieldRow[];
}

const name: FieldRow = ['name', ['name']];
const metricName: FieldRow = ['metricName', ['metric', 'name'], ''];
const selector: FieldRow = ['selector', ['metric', 'selector']];
const container: FieldRow = ['container', ['container'], ''];
const utilization: FieldRow = ['targetAverageUtilization', ['target', 'averageUtilization']];
const averageTarget: FieldRow = ['targetAverageValue', ['target', 'averageValue']];
const currentUtilization: FieldRow = ['currentAverageUtilization', ['current', 'averageUtilization']];
const currentAverage: FieldRow = ['currentAverageValue', ['current', 'averageValue'], '0'];

/** In the order of the Go struct. Source: kubernetes, pkg/apis/autoscaling/v1/conversion.go. */
const rows: readonly MetricRow[] = [
  {
    type: 'Object',
    field: 'object',
    spec: [
      ['target', ['describedObject']],
      metricName,
      ['targetValue', ['target', 'value'], '0'],
      selector,
      ['averageValue', ['target', 'averageValue']],
    ],
    status: [
      ['target', ['describedObject']],
      metricName,
      ['currentValue', ['current', 'value'], '0'],
      selector,
      ['averageValue', ['current', 'averageValue']],
    ],
  },
  {
    type: 'Pods',
    field: 'pods',
    spec: [metricName, ['targetAverageValue', ['target', 'averageValue'], '0'], selector],
    status: [metricName, currentAverage, selector],
  },
  {
    type: 'Resource',
    field: 'resource',
    spec: [name, utilization, averageTarget],
    status: [name, currentUtilization, currentAverage],
  },
  {
    type: 'ContainerResource',
    field: 'containerResource',
    spec: [name, utilization, averageTarget, container],
    status: [name, currentUtilization, currentAverage, container],
  },
  {
    type: 'External',
    field: 'external',
    spec: [
      metricName,
      ['metricSelector', ['metric', 'selector']],
      ['targetValue', ['target', 'value']],
      averageTarget,
    ],
    status: [
      metricName,
      ['metricSelector', ['metric', 'selector']],
      ['currentValue', ['current', 'value'], '0'],
      ['currentAverageValue', ['current', 'averageValue']],
    ],
  },
];

type Part = 'spec' | 'status';

/** A metric of autoscaling/v2 as v1 writes it into an annotation. */
export function metricToV1(metric: JsonObject, part: Part): JsonObject {
  const converted: JsonObject = { type: own(metric, 'type') ?? '' };
  for (const row of rows) {
    const source = own(metric, row.field);
    if (!isObject(source)) continue;
    const fields: JsonObject = {};
    for (const [v1, v2, zero] of row[part]) {
      const value = at(source, v2) ?? zero;
      if (value !== undefined) fields[v1] = inGoOrder(value);
    }
    converted[row.field] = fields;
  }
  return converted;
}

/** A metric of an annotation as autoscaling/v2 has it. */
export function metricFromV1(metric: JsonObject, part: Part): JsonObject {
  const converted: JsonObject = { type: ownString(metric, 'type') ?? '' };
  for (const row of rows) {
    const source = own(metric, row.field);
    if (!isObject(source)) continue;
    const fields: JsonObject = {};
    for (const [v1, v2] of row[part]) put(fields, v2, own(source, v1));
    if (part === 'spec') addTargetType(fields, row.type);
    converted[row.field] = fields;
  }
  return converted;
}

const goOrder = ['kind', 'name', 'apiVersion', 'matchLabels', 'matchExpressions'];

/** A reference or a selector with its fields in the order of the Go structs. */
function inGoOrder(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    goOrder.flatMap((field) => {
      const inner = own(value, field);
      return inner === undefined ? [] : [[field, inner]];
    }),
  );
}

function at(source: JsonObject, [first = '', second]: readonly string[]): JsonValue | undefined {
  if (second === undefined) return own(source, first);
  const parent = ownObject(source, first);
  return parent === undefined ? undefined : own(parent, second);
}

function put(
  fields: JsonObject,
  [first = '', second]: readonly string[],
  value: JsonValue | undefined,
): void {
  if (value === undefined || value === null) return;
  if (second === undefined) {
    fields[first] = value;
    return;
  }
  const parent = own(fields, first);
  fields[first] = { ...(isObject(parent) ? parent : {}), [second]: value };
}

/** v1 has no target type: the present field decides. */
function addTargetType(fields: JsonObject, type: string): void {
  const given = own(fields, 'target');
  const target: JsonObject = isObject(given) ? given : {};
  const has = (field: string) => own(target, field) !== undefined;
  if (type === 'Object') {
    target['type'] = has('averageValue') ? 'AverageValue' : 'Value';
    // v1 cannot leave the value out, and v2 does not take 0.
    if (has('averageValue') && own(target, 'value') === '0') delete target['value'];
  } else if (type === 'External') target['type'] = has('value') ? 'Value' : 'AverageValue';
  else if (type === 'Pods') target['type'] = 'AverageValue';
  else target['type'] = has('averageUtilization') ? 'Utilization' : 'AverageValue';
  fields['target'] = target;
}
