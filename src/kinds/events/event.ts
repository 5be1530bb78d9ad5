import {
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownObject,
  ownString,
  pathSegmentName,
} from '../../meta/index.ts';
import type { SelectableField } from '../../crd/index.ts';
import type { Converter } from '../strategy/converter.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';
import { changedEventErrors, type EventFields, eventErrors, newEventErrors } from './validate-event.ts';
import { int32, object, objectReference, text, time } from '../definition/schema-parts.ts';

/**
 * Two APIs serve the same stored events: core/v1, in which they are stored, and events.k8s.io/v1.
 * Each pair is the name in core v1 and the name in events.k8s.io/v1.
 */
const renamed: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

function rename(event: KubeObject, from: 0 | 1): void {
  for (const pair of renamed) {
    const value = own(event, pair[from]);
    if (value === undefined) continue;
    delete event[pair[from]];
    event[pair[1 - from] ?? pair[0]] = value;
  }
}

const converter: Converter = {
  reshapes: true,
  fromStored(event) {
    event['apiVersion'] = 'events.k8s.io/v1';
    rename(event, 0);
  },
  toStored(event) {
    event['apiVersion'] = 'v1';
    rename(event, 1);
  },
};

const series = object({ count: int32, lastObservedTime: time });
const source = object({ component: text, host: text });
const shared: JsonObject = {
  action: text,
  eventTime: time,
  reason: text,
  related: objectReference,
  reportingInstance: text,
  series,
  type: text,
};

function textAt(event: KubeObject, ...path: readonly string[]): string {
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce<JsonObject>((at, step) => ownObject(at, step) ?? {}, event);
  return ownString(parent, last) ?? '';
}

/** The last time the event was seen, from the field that its writer uses. */
function lastSeen(event: KubeObject): JsonValue {
  const candidates = [
    textAt(event, 'series', 'lastObservedTime'),
    textAt(event, 'lastTimestamp'),
    textAt(event, 'deprecatedLastTimestamp'),
    textAt(event, 'eventTime'),
    textAt(event, 'metadata', 'creationTimestamp'),
  ];
  return candidates.find((candidate) => candidate !== '') ?? null;
}

function about(event: KubeObject): JsonValue {
  const field = own(event, 'regarding') === undefined ? 'involvedObject' : 'regarding';
  const [kind, name] = [textAt(event, field, 'kind'), textAt(event, field, 'name')];
  return `${kind.toLowerCase()}/${name}`;
}

const columns = [
  column('Last Seen', '', { type: 'date', read: lastSeen, description: 'Time of the last observation' }),
  column('Type', '.type'),
  column('Reason', '.reason'),
  column('Object', '', { read: about, description: 'The object that this event is about.' }),
  column('Message', '', {
    read: (event) => textAt(event, 'message') || textAt(event, 'note'),
    description: 'A human-readable description of the status of this operation.',
  }),
];

/** The object of an event, by the field names of each API group. */
function referenceFields(field: 'involvedObject' | 'regarding'): SelectableField[] {
  const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return parts.map((part) => ({ fieldPath: `${field}.${part}` }));
}

const coreFields: readonly SelectableField[] = [
  ...referenceFields('involvedObject'),
  { fieldPath: 'reason' },
  { fieldPath: 'reportingComponent' },
  {
    fieldPath: 'source',
    read: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
    default: '',
    description:
      'Set to the value of the source.component field, or of the reportingComponent field if that is omitted',
  },
  { fieldPath: 'type' },
];

const newFields: readonly SelectableField[] = [
  ...referenceFields('regarding'),
  { fieldPath: 'reason' },
  { fieldPath: 'reportingController' },
  { fieldPath: 'type' },
];

interface EventRules {
  readonly fields: EventFields;
  /** True for events.k8s.io/v1, which has more rules. */
  readonly isStrict: boolean;
}

function eventStrategy({ fields, isStrict }: EventRules): Strategy {
  const plain = plainStrategy();
  return Object.freeze({
    ...plain,
    allowCreateOnUpdate: true,
    groupInRefusals: '',
    nameRule: pathSegmentName,
    validateCreate(event, context) {
      const { errors, warnings } = plain.validateCreate(event, context);
      const strict = isStrict ? newEventErrors(event) : [];
      return { errors: [...errors, ...eventErrors(event, fields), ...strict], warnings };
    },
    validateUpdate(event, old, endpoint, context) {
      const { errors, warnings } = plain.validateUpdate(event, old, endpoint, context);
      const strict = isStrict ? changedEventErrors(event, old) : [];
      return { errors: [...errors, ...eventErrors(event, fields), ...strict], warnings };
    },
  } satisfies Strategy);
}

/** core v1 Event: the API that older recorders of controllers use. */
export const coreEventKind: BuiltInKind = {
  strategy: eventStrategy({
    fields: { about: 'involvedObject', note: 'message', reporter: 'reportingComponent' },
    isStrict: false,
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Event',
    resource: 'events',
    namespaced: true,
    shortNames: ['ev'],
    columns,
    selectableFields: coreFields,
    properties: {
      ...shared,
      count: int32,
      firstTimestamp: time,
      involvedObject: objectReference,
      lastTimestamp: time,
      message: text,
      reportingComponent: text,
      source,
    },
  }),
};

/** events.k8s.io/v1 Event: the same objects under their newer names. */
export const eventKind: BuiltInKind = {
  strategy: eventStrategy({
    fields: { about: 'regarding', note: 'note', reporter: 'reportingController' },
    isStrict: true,
  }),
  storedAs: { prefix: '/registry/events/', converter },
  type: builtInType({
    group: 'events.k8s.io',
    version: 'v1',
    kind: 'Event',
    resource: 'events',
    namespaced: true,
    shortNames: ['ev'],
    columns,
    selectableFields: newFields,
    properties: {
      ...shared,
      deprecatedCount: int32,
      deprecatedFirstTimestamp: time,
      deprecatedLastTimestamp: time,
      deprecatedSource: source,
      note: text,
      regarding: objectReference,
      reportingController: text,
    },
  }),
};
