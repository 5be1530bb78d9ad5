import { invariant, type KubeObject } from '../meta/index.ts';
import { borrowSeats } from './borrow-seats.ts';
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from './bootstrap-objects.ts';
import { FlowCounts, type RejectReason } from './flow-counts.ts';
import { compareFlowSchemas, type FlowSchema, readFlowSchema } from './flow-schema.ts';
import { LevelState, seatRanges } from './level-state.ts';
import { flowDistinguisher, matchesSchema } from './match-schema.ts';
import type { Place } from './place.ts';
import { type PriorityLevel, readPriorityLevel } from './priority-level.ts';
import type { RequestDigest } from './request-digest.ts';
import { dealHand, flowHash } from './shuffle-shard.ts';

interface FlowControllerOptions {
  /** Milliseconds from any moment on; never goes back. */
  readonly now: () => number;
  /** The seats of the server, all levels together. */
  readonly seats: number;
}

/** What configures the levels and flows of a server. */
export interface FlowConfig {
  readonly flowSchemas: readonly KubeObject[];
  readonly priorityLevels: readonly KubeObject[];
}

/** Where a request belongs. */
export interface Classified {
  readonly schema: FlowSchema;
  readonly level: LevelState;
  readonly distinguisher: string;
  readonly counts: FlowCounts;
  /** The queues of the schema's flows, as far as they were dealt. */
  readonly hands: Map<string, readonly number[]>;
}

/** Hands that were dealt are kept, for so many flows. */
const handsMax = 10_000;

/** A schema whose level exists. */
type ActiveSchema = Omit<Classified, 'distinguisher'>;

/**
 * API Priority and Fairness: says of each request which priority level it belongs to, and which flow in it, and lets as
 * many run as the level has seats. Source: KEP-1040; apiserver, util/flowcontrol.
 *
 * Pure: the clock is passed in, nothing is waited for here. A caller whose request does not run at once waits for the
 * place's `onDecided`.
 */
export class FlowController {
  readonly #options: FlowControllerOptions;
  #levels: ReadonlyMap<string, LevelState> = new Map();
  #schemas: readonly ActiveSchema[] = [];
  #fairFraction = 0;

  constructor(options: FlowControllerOptions, config: FlowConfig = { flowSchemas: [], priorityLevels: [] }) {
    this.#options = options;
    this.configure(config);
  }

  /** The levels, by name. */
  get levels(): readonly LevelState[] {
    return [...this.#levels.values()].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
  }

  /** The schemas in the order in which they are asked. */
  get schemas(): readonly Pick<ActiveSchema, 'schema' | 'level' | 'counts'>[] {
    return this.#schemas;
  }

  /** Which part of its target every level got when seats were borrowed last. */
  get fairFraction(): number {
    return this.#fairFraction;
  }

  /**
   * Takes another configuration. What is mandatory and missing is made up; schemas whose level is missing are left out.
   * Levels that go on keep their requests; those of a level that is gone go on in it until they are done.
   */
  configure({ flowSchemas, priorityLevels }: FlowConfig): void {
    const nowMs = this.#options.now();
    const levels = withMandatory(priorityLevels.map(readPriorityLevel), mandatoryLevels());
    const ranges = seatRanges(levels, this.#options.seats);
    this.#levels = new Map(levels.map((level) => [level.name, this.#levelState(level, ranges, nowMs)]));
    const schemas = withMandatory(flowSchemas.map(readFlowSchema), mandatorySchemas());
    const before = new Map(this.#schemas.map((active) => [active.schema.name, active.counts]));
    this.#schemas = [...schemas].sort(compareFlowSchemas).flatMap((schema) => {
      const level = this.#levels.get(schema.priorityLevel);
      if (level === undefined) return [];
      return [{ schema, level, counts: before.get(schema.name) ?? new FlowCounts(), hands: new Map() }];
    });
  }

  #levelState(level: PriorityLevel, ranges: ReturnType<typeof seatRanges>, nowMs: number): LevelState {
    const range = ranges.get(level.name);
    invariant(range !== undefined, 'every level has a range');
    const known = this.#levels.get(level.name);
    if (known === undefined || known.config.exempt !== level.exempt)
      return new LevelState(level, range, nowMs);
    known.configure(level, range, nowMs);
    return known;
  }

  /** Lends seats that levels did not need since the last call. To be called every ten seconds. */
  adjust(): void {
    this.#fairFraction = borrowSeats([...this.#levels.values()], this.#options.now());
  }

  /** Where a request belongs: the first schema that is for it. */
  classify(digest: RequestDigest): Classified {
    const active = this.#schemaFor(digest);
    const queues = active.level.config.queuing?.queues ?? 0;
    const distinguisher = queues > 1 ? flowDistinguisher(digest, active.schema) : '';
    const { schema, level, counts, hands } = active;
    return { schema, level, distinguisher, counts, hands };
  }

  /**
   * Takes a request in; says why where it is rejected.
   *
   * @param seats how many seats it needs while it runs
   */
  enter(digest: RequestDigest, classified: Classified, seats: number): Place | RejectReason {
    const { schema, level, distinguisher, counts } = classified;
    counts.estimatedSeats.observe(seats);
    const request = { digest, schemaName: schema.name, distinguisher, seats, counts };
    const nowMs = this.#options.now();
    const entered = level.queueSet.enter(request, this.#handOf(classified), nowMs);
    if (typeof entered === 'string') level.dropped.record(nowMs);
    return entered;
  }

  /** Ends a request that ran. */
  leave({ level }: Classified, place: Place): void {
    level.queueSet.leave(place, this.#options.now());
  }

  /** Ends the wait of a request; its `onDecided` is told. */
  giveUp({ level }: Classified, place: Place, reason: 'time-out' | 'cancelled'): void {
    const nowMs = this.#options.now();
    if (level.queueSet.giveUp(place, reason, nowMs)) level.dropped.record(nowMs);
  }

  #schemaFor(digest: RequestDigest): ActiveSchema {
    for (const active of this.#schemas) if (matchesSchema(digest, active.schema)) return active;
    const rest = this.#schemas.find(({ schema }) => schema.name === 'catch-all');
    invariant(rest !== undefined, 'the schema catch-all is always there');
    return rest;
  }

  #handOf({ schema, level, distinguisher, hands }: Classified): readonly number[] {
    const { queuing, exempt } = level.config;
    if (queuing === undefined || exempt) return noHand;
    const known = hands.get(distinguisher);
    if (known !== undefined) return known;
    const { queues: deckSize, handSize } = queuing;
    const hand = dealHand(deckSize > 1 ? flowHash(schema.name, distinguisher) : 0n, { deckSize, handSize });
    if (hands.size >= handsMax) hands.clear();
    hands.set(distinguisher, hand);
    return hand;
  }
}

const noHand: readonly number[] = Object.freeze([]);

const mandatoryLevels = () => mandatoryPriorityLevels.map(readPriorityLevel);
const mandatorySchemas = () => mandatoryFlowSchemas.map(readFlowSchema);

function withMandatory<T extends { readonly name: string }>(
  given: readonly T[],
  mandatory: readonly T[],
): T[] {
  const names = new Set(given.map(({ name }) => name));
  return [...given, ...mandatory.filter(({ name }) => !names.has(name))];
}
