import type { ConsoleMemory, RecentTextList } from '../../console/index.ts';

/** Parameters and answer of a method, as a call with one value. */
type Called<M extends (value: never) => unknown> = (
  value: Parameters<M>[0],
) => Promise<Awaited<ReturnType<M>>>;

/** Events for one destination of the audit log. */
export interface AuditedEvents {
  /** The place of the destination among those of the configuration. */
  readonly backend: number;
  readonly events: readonly string[];
  readonly isAwaited: boolean;
}

/** What a thread tells; undefined before it serves. */
export interface Told {
  readonly metrics: string;
  readonly slowRequests: RecentTextList;
  readonly auditEvents: RecentTextList;
}

export type Topic = keyof Told;

/** What the first thread answers to the others. */
export type FirstThreadCalls = {
  /** The thread serves. */
  readonly serving: (nothing: undefined) => void;
  /** What all threads tell. */
  readonly gather: (topic: Topic) => Promise<readonly Told[Topic][]>;
  /** Resolves when the events are written, or queued. */
  readonly audit: (events: AuditedEvents) => Promise<void>;
  readonly openSession: Called<ConsoleMemory['openSession']>;
  readonly findSession: Called<ConsoleMemory['findSession']>;
  readonly closeSession: Called<ConsoleMemory['closeSession']>;
  readonly issueCode: Called<ConsoleMemory['issueCode']>;
  readonly takeCode: Called<ConsoleMemory['takeCode']>;
  readonly keepLogin: Called<ConsoleMemory['keepLogin']>;
  readonly takeLogin: Called<ConsoleMemory['takeLogin']>;
};

/** What another thread answers to the first one. */
export type OtherThreadCalls = {
  readonly tell: (topic: Topic) => Promise<Told[Topic] | undefined>;
  /** A session of the console was closed. */
  readonly sessionClosed: (nothing: undefined) => void;
  /** Answers the requests in flight, and ends. */
  readonly close: (nothing: undefined) => Promise<void>;
};
