import {
  checkDnsSubdomain,
  checkLabelKey,
  equal,
  type FieldError,
  invalid,
  type JsonValue,
  type KubeObject,
  nameOf,
  namespaceOf,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { invalidAs, numberAt, textAt } from '../rules/field-checks.ts';

/** The fields of an event whose names differ between core/v1 and events.k8s.io/v1. */
export interface EventFields {
  readonly about: 'involvedObject' | 'regarding';
  readonly note: 'message' | 'note';
  readonly reporter: 'reportingComponent' | 'reportingController';
}

const charsMax = 128;
const noteBytesMax = 1024;

const hasTime = (event: KubeObject, field: string) => textAt(event, field) !== '';

/**
 * The errors of an event of either API. Events with an `eventTime` are held to more rules.
 * Source, also of the order: kubernetes, pkg/apis/core/validation/events.go, legacyValidateEvent.
 */
export function eventErrors(event: KubeObject, fields: EventFields): FieldError[] {
  if (!hasTime(event, 'eventTime')) return namespaceErrors(event, fields);
  const reporter = textAt(event, fields.reporter);
  const namespace = namespaceOf(event);
  const isHome = namespace === 'default' || namespace === 'kube-system';
  const about = textAt(ownObject(event, fields.about) ?? {}, 'namespace');
  return [
    ...(about === '' && !isHome ? [mismatch(about)] : []),
    ...(reporter === '' ? [required(fields.reporter)] : []),
    ...invalidAs(fields.reporter, reporter, checkLabelKey),
    ...shortTextErrors(event, 'reportingInstance'),
    ...shortTextErrors(event, 'action'),
    ...shortTextErrors(event, 'reason'),
    ...(Buffer.byteLength(textAt(event, fields.note)) > noteBytesMax
      ? [invalid('message', '', `can have at most ${noteBytesMax} characters`)]
      : []),
  ];
}

const mismatch = (namespace: string) =>
  invalid('involvedObject.namespace', namespace, 'does not match event.namespace');

/** The event is in the namespace of its object; events about cluster-scoped objects are in `default`. */
function namespaceErrors(event: KubeObject, { about }: EventFields): FieldError[] {
  const involved = textAt(ownObject(event, about) ?? {}, 'namespace');
  const expected = involved === '' ? 'default' : involved;
  return namespaceOf(event) === expected ? [] : [mismatch(involved)];
}

function shortTextErrors(event: KubeObject, field: string): FieldError[] {
  const text = textAt(event, field);
  if (text === '') return [required(field)];
  return Buffer.byteLength(text) > charsMax
    ? [invalid(field, '', `can have at most ${charsMax} characters`)]
    : [];
}

/** What events.k8s.io/v1 asks of a new event, in addition. Source: kubernetes, ValidateEventCreate. */
export function newEventErrors(event: KubeObject): FieldError[] {
  const type = textAt(event, 'type');
  const source = ownObject(event, 'deprecatedSource') ?? {};
  const isSet = (field: string, isUsed: boolean) => (isUsed ? [invalid(field, '', 'needs to be unset')] : []);
  return [
    ...(nameOf(event) === '' ? [] : invalidAs('metadata.name', nameOf(event), checkDnsSubdomain)),
    ...seriesErrors(event),
    ...(hasTime(event, 'eventTime') ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...isSet('firstTimestamp', hasTime(event, 'deprecatedFirstTimestamp')),
    ...isSet('lastTimestamp', hasTime(event, 'deprecatedLastTimestamp')),
    ...isSet('count', (numberAt(event, 'deprecatedCount') ?? 0) !== 0),
    ...isSet('source', textAt(source, 'component') !== '' || textAt(source, 'host') !== ''),
  ];
}

function seriesErrors(event: KubeObject): FieldError[] {
  const series = ownObject(event, 'series');
  if (series === undefined) return [];
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(textAt(series, 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}

/** The fields that an update by events.k8s.io/v1 must not change: the name in errors, and the field. */
const fixedFields: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** What an update by events.k8s.io/v1 may change is the series. Source: kubernetes, ValidateEventUpdate. */
export function changedEventErrors(event: KubeObject, old: KubeObject): FieldError[] {
  const fieldOf = (object: KubeObject, field: string): JsonValue | null => own(object, field) ?? null;
  const isSameSeries = equal(fieldOf(event, 'series'), fieldOf(old, 'series'));
  return [
    ...(isSameSeries ? [] : seriesErrors(event)),
    ...fixedFields.flatMap(([name, field]) =>
      equal(fieldOf(event, field), fieldOf(old, field))
        ? []
        : [invalid(name, fieldOf(event, field), 'field is immutable')],
    ),
  ];
}
