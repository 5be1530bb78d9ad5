import { contains, sortKey, sortRange } from './key-order.ts';
import type { KeyRange, Revision, StoreEvent, WatchMessage } from './store.ts';

/** One watch from its opening to its end, and what it yielded. */
export interface WatchSession {
  readonly after: Revision;
  readonly messages: readonly WatchMessage[];
}

/** The watches of one range that one reader had, each opened where the one before it ended. */
interface WatchRecording {
  readonly range: KeyRange;
  readonly sessions: readonly WatchSession[];
}

/** A promise of {@link StoreWatch}, and how to see that it was broken. */
interface WatchPromise {
  readonly name: 'ordered' | 'unique' | 'atomic' | 'reliable' | 'resumable' | 'bookmarkable';
  /** The promise in words: the text of its failure. */
  readonly promise: string;
  /** What broke it, with revisions; undefined where it was kept. `truth` is every change of the store, in order. */
  broken(recording: WatchRecording, truth: readonly StoreEvent[]): string | undefined;
}

const eventsOf = (session: WatchSession): readonly StoreEvent[] =>
  session.messages.flatMap(({ events }) => events);

/** How far a session had seen when it ended. */
export const lastRevision = (session: WatchSession): Revision =>
  session.messages.at(-1)?.revision ?? session.after;

/** The changes that a watch of a range should have delivered after one revision, up to another. */
function expected(
  range: KeyRange,
  truth: readonly StoreEvent[],
  after: Revision,
  upTo: Revision,
): StoreEvent[] {
  const wanted = sortRange(range);
  return truth.filter(
    ({ key, revision }) => revision > after && revision <= upTo && contains(wanted, sortKey(key)),
  );
}

/** The first finding of a look at each session. */
function firstOf(
  recording: WatchRecording,
  look: (session: WatchSession) => string | undefined,
): string | undefined {
  for (const session of recording.sessions) {
    const found = look(session);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An event as text, for comparison and for people. */
function describeEvent(event: StoreEvent | undefined): string {
  if (event === undefined) return 'nothing';
  const { type, key, revision, value, previous } = event;
  const now = value === undefined ? '' : ` = ${Buffer.from(value).toString()}`;
  const before =
    previous === undefined
      ? ''
      : `, was ${Buffer.from(previous.value).toString()} of ${previous.modRevision}`;
  return `${type} ${key}${now} at ${revision}${before}`;
}

const ordered: WatchPromise = {
  name: 'ordered',
  promise: 'events come in the order of their revisions',
  broken: (recording) =>
    firstOf(recording, (session) => {
      const events = eventsOf(session);
      const index = events.findIndex((event, at) => event.revision < (events[at - 1]?.revision ?? 0));
      if (index < 0) return undefined;
      return `revision ${events[index]?.revision} came after ${events[index - 1]?.revision}`;
    }),
};

const unique: WatchPromise = {
  name: 'unique',
  promise: 'no event comes twice',
  broken: (recording) =>
    firstOf(recording, (session) => {
      const seen = new Set<string>();
      for (const { key, revision } of eventsOf(session)) {
        const id = `${key} at revision ${revision}`;
        if (seen.has(id)) return `${id} came twice`;
        seen.add(id);
      }
      return undefined;
    }),
};

const atomic: WatchPromise = {
  name: 'atomic',
  promise: 'the events of one revision come in one message',
  broken: (recording) =>
    firstOf(recording, (session) => {
      const messageOf = new Map<Revision, number>();
      for (const [index, { events }] of session.messages.entries()) {
        for (const { revision } of events) {
          const first = messageOf.get(revision) ?? index;
          if (first !== index) return `revision ${revision} came in messages ${first} and ${index}`;
          messageOf.set(revision, index);
        }
      }
      return undefined;
    }),
};

/** Events out of order or twice are the business of others: here only what is missing, or not what happened. */
const reliable: WatchPromise = {
  name: 'reliable',
  promise: 'no event before the last one delivered is left out, and each tells what happened',
  broken: (recording, truth) =>
    firstOf(recording, (session) => {
      const delivered = new Map(eventsOf(session).map((event) => [event.revision, describeEvent(event)]));
      const upTo = Math.max(session.after, ...delivered.keys());
      const wanted = expected(recording.range, truth, session.after, upTo);
      const wrong = wanted.find((event) => delivered.get(event.revision) !== describeEvent(event));
      if (wrong !== undefined) {
        return `${describeEvent(wrong)}: delivered was ${delivered.get(wrong.revision) ?? 'nothing'}`;
      }
      const invented = [...delivered.keys()].find((at) => !wanted.some(({ revision }) => revision === at));
      return invented === undefined ? undefined : `${delivered.get(invented)} did not happen in this range`;
    }),
};

const resumable: WatchPromise = {
  name: 'resumable',
  promise: 'a new watch from the last revision seen goes on without a gap',
  broken: ({ range, sessions }, truth) => {
    for (const [index, session] of sessions.entries()) {
      const before = sessions[index - 1];
      const first = eventsOf(session)[0];
      if (before === undefined || first === undefined) continue;
      const seen = lastRevision(before);
      const next = expected(range, truth, seen, Number.POSITIVE_INFINITY)[0];
      if (next?.revision !== first.revision) {
        return `after revision ${seen} came ${first.revision}, the next change was ${next?.revision}`;
      }
    }
    return undefined;
  },
};

const bookmarkable: WatchPromise = {
  name: 'bookmarkable',
  promise: 'a message tells a revision only when every event up to it was delivered',
  broken: ({ range, sessions }, truth) =>
    firstOf({ range, sessions }, (session) => {
      const delivered = new Set<Revision>();
      for (const { events, revision } of session.messages) {
        for (const event of events) delivered.add(event.revision);
        const missing = expected(range, truth, session.after, revision).find(
          (event) => !delivered.has(event.revision),
        );
        if (missing !== undefined) return `${revision} was told before the event of ${missing.revision} came`;
        const ahead = events.find((event) => event.revision > revision);
        if (ahead !== undefined)
          return `the event of ${ahead.revision} came in a message that tells ${revision}`;
      }
      return undefined;
    }),
};

/** All promises of a watch; https://etcd.io/docs/v3.5/learning/api_guarantees/#watch-apis names them. */
const watchPromises: readonly WatchPromise[] = [ordered, unique, atomic, reliable, resumable, bookmarkable];

/** The promises that a recording breaks, as sentences; none where all is well. */
export function brokenPromises(recording: WatchRecording, truth: readonly StoreEvent[]): string[] {
  return watchPromises.flatMap(({ name, promise, broken }) => {
    const found = broken(recording, truth);
    return found === undefined ? [] : [`${name}: ${promise} (${found})`];
  });
}
