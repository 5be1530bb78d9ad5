import { type Event, EVENT_ID, type ScalarEvent, type SequenceEvent } from 'js-yaml';

/** The integers of each event, its type among them. */
const sizes: Readonly<Record<Event['type'], number>> = {
  [EVENT_ID.DOCUMENT]: 1,
  [EVENT_ID.SEQUENCE]: 7,
  [EVENT_ID.MAPPING]: 7,
  [EVENT_ID.SCALAR]: 11,
  [EVENT_ID.ALIAS]: 3,
  [EVENT_ID.POP]: 1,
};

/** Events as integers, which threads pass on without a copy; without the directives of documents. */
export function packEvents(events: Iterable<Event>): Int32Array<ArrayBuffer> {
  let length = 0;
  for (const { type } of events) length += sizes[type];
  const packed = new Int32Array(length);
  let at = 0;
  for (const event of events) {
    packed.set(numbersOf(event), at);
    at += sizes[event.type];
  }
  return packed;
}

function numbersOf(event: Event): number[] {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return scalarNumbers(event);
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING: {
      const { type, start, anchorStart, anchorEnd, tagStart, tagEnd, style } = event;
      return [type, start, anchorStart, anchorEnd, tagStart, tagEnd, style];
    }
    case EVENT_ID.ALIAS:
      return [event.type, event.anchorStart, event.anchorEnd];
    default:
      return [event.type];
  }
}

function scalarNumbers(event: ScalarEvent): number[] {
  const { type, valueStart, valueEnd, anchorStart, anchorEnd, tagStart, tagEnd } = event;
  const { style, chomping, indent, fast } = event;
  const properties = [anchorStart, anchorEnd, tagStart, tagEnd];
  return [type, valueStart, valueEnd, ...properties, style, chomping, indent, fast ? 1 : 0];
}

/** The events that {@link packEvents} has packed. */
export function* unpackEvents(packed: Int32Array): Generator<Event> {
  for (let at = 0; at < packed.length; ) {
    const event = eventAt(packed, at);
    yield event;
    at += sizes[event.type];
  }
}

function eventAt(packed: Int32Array, at: number): Event {
  const number = (offset: number) => packed[at + offset] ?? 0;
  switch (number(0)) {
    case EVENT_ID.SCALAR:
      return scalarAt(number);
    case EVENT_ID.SEQUENCE:
      return { type: EVENT_ID.SEQUENCE, ...collectionAt(number) };
    case EVENT_ID.MAPPING:
      return { type: EVENT_ID.MAPPING, ...collectionAt(number) };
    case EVENT_ID.ALIAS:
      return { type: EVENT_ID.ALIAS, anchorStart: number(1), anchorEnd: number(2) };
    case EVENT_ID.POP:
      return { type: EVENT_ID.POP };
    default:
      return { type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] };
  }
}

type NumberAt = (offset: number) => number;

// What was packed as a style or as chomping is one.
function scalarAt(number: NumberAt): ScalarEvent {
  return {
    type: EVENT_ID.SCALAR,
    valueStart: number(1),
    valueEnd: number(2),
    anchorStart: number(3),
    anchorEnd: number(4),
    tagStart: number(5),
    tagEnd: number(6),
    style: number(7) as ScalarEvent['style'],
    chomping: number(8) as ScalarEvent['chomping'],
    indent: number(9),
    fast: number(10) === 1,
  };
}

function collectionAt(number: NumberAt): Omit<SequenceEvent, 'type'> {
  return {
    start: number(1),
    anchorStart: number(2),
    anchorEnd: number(3),
    tagStart: number(4),
    tagEnd: number(5),
    style: number(6) as SequenceEvent['style'],
  };
}
