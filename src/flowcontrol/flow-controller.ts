import { invariant, type KubeObject, type UserInfo } from '../meta/index.ts';
import { ActiveSchema, type Classified } from './active-schema.ts';
import { borrowSeats } from './borrow-seats.ts';
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from './bootstrap-objects.ts';
import type { RejectReason } from './flow-counts.ts';
import { compareFlowSchemas, readFlowSchema } from './flow-schema.ts';
import { LevelState, seatRanges } from './level-state.ts';
import { matchesRules, rulesFor, type UserRules } from './match-schema.ts';
import type { Place } from './place.ts';
import { type PriorityLevel, readPriorityLevel } from './priority-level.ts';
import type { RequestDigest } from './request-digest.ts';

interface FlowControllerOptions {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** The seats of all levels together. */
  readonly seats: number;
}

/** The configuration of levels and flow schemas. */
export interface FlowConfig {
  readonly flowSchemas: readonly KubeObject[];
  readonly priorityLevels: readonly KubeObject[];
}

/** A schema with rules for a user. */
interface Candidate extends UserRules {
  readonly active: ActiveSchema;
}

/** The schemas that may match the requests of a user, in order. */
interface Candidates {
  readonly resource: readonly Candidate[];
  readonly nonResource: readonly Candidate[];
}

/**
 * API Priority and Fairness: classifies each request into a priority level and a flow, and runs as many of a level's
 * requests as it has seats. Source: KEP-1040; apiserver, util/flowcontrol.
 *
 * Pure: the clock is passed in and nothing awaits. If a request does not run at once, its caller waits for the place's
 * `onDecided`.
 */
export class FlowController {
  readonly #options: FlowControllerOptions;
  #levels: ReadonlyMap<string, LevelState> = new Map();
  #schemas: readonly ActiveSchema[] = [];
  #fairFraction = 0;
  /** Authenticators reuse the objects of their users. */
  #candidates = new WeakMap<UserInfo, Candidates>();

  constructor(options: FlowControllerOptions, config: FlowConfig = { flowSchemas: [], priorityLevels: [] }) {
    this.#options = options;
    this.configure(config);
  }

  /** The levels, by name. */
  get levels(): readonly LevelState[] {
    return [...this.#levels.values()].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
  }

  /** The schemas in matching order. */
  get schemas(): readonly ActiveSchema[] {
    return this.#schemas;
  }

  /** The fraction of its target that every level got at the last adjustment. */
  get fairFraction(): number {
    return this.#fairFraction;
  }

  /**
   * Replaces the configuration. Missing mandatory objects are added; schemas without a level are ignored. Remaining
   * levels keep their requests; requests of a removed level finish in it.
   */
  configure({ flowSchemas, priorityLevels }: FlowConfig): void {
    const nowMs = this.#options.now();
    const levels = withMandatory(priorityLevels.map(readPriorityLevel), mandatoryLevels());
    const ranges = seatRanges(levels, this.#options.seats);
    this.#levels = new Map(levels.map((level) => [level.name, this.#levelState(level, ranges, nowMs)]));
    const schemas = withMandatory(flowSchemas.map(readFlowSchema), mandatorySchemas());
    const before = new Map(this.#schemas.map((active) => [active.schema.name, active.counts]));
    this.#candidates = new WeakMap();
    this.#schemas = [...schemas].sort(compareFlowSchemas).flatMap((schema) => {
      const level = this.#levels.get(schema.priorityLevel);
      if (level === undefined) return [];
      return [new ActiveSchema(schema, level, before.get(schema.name))];
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

  /** Lends seats that levels did not need since the last call. Call it every ten seconds. */
  adjust(): void {
    this.#fairFraction = borrowSeats([...this.#levels.values()], this.#options.now());
  }

  /** Classifies a request: the first matching schema decides. */
  classify(digest: RequestDigest): Classified {
    return this.#schemaFor(digest).flowOf(digest);
  }

  /**
   * Accepts a request, or returns the reason of its rejection.
   *
   * @param seats the number of seats it takes while it runs
   */
  enter(digest: RequestDigest, classified: Classified, seats: number): Place | RejectReason {
    const { level, counts } = classified;
    counts.estimatedSeats.observe(seats);
    const nowMs = this.#options.now();
    const entered = level.queueSet.enter({ flow: classified, digest, seats, nowMs });
    if (typeof entered === 'string') level.dropped.record(nowMs);
    return entered;
  }

  /** Ends a running request. */
  leave({ level }: Classified, place: Place): void {
    level.queueSet.leave(place, this.#options.now());
  }

  /** Ends the wait of a request and calls its `onDecided`. */
  giveUp({ level }: Classified, place: Place, reason: 'time-out' | 'cancelled'): void {
    const nowMs = this.#options.now();
    if (level.queueSet.giveUp(place, reason, nowMs)) level.dropped.record(nowMs);
  }

  #schemaFor(digest: RequestDigest): ActiveSchema {
    const candidates = this.#candidates.get(digest.user) ?? this.#findCandidates(digest.user);
    const concerned = digest.resource === undefined ? candidates.nonResource : candidates.resource;
    for (const candidate of concerned) if (matchesRules(digest, candidate)) return candidate.active;
    const rest = this.#schemas.find(({ schema }) => schema.name === 'catch-all');
    invariant(rest !== undefined, 'the schema catch-all is always there');
    return rest;
  }

  #findCandidates(user: UserInfo): Candidates {
    const all = this.#schemas.map((active) => ({ active, ...rulesFor(user, active.schema) }));
    const candidates = {
      resource: all.filter(({ resourceRules }) => resourceRules.length > 0),
      nonResource: all.filter(({ nonResourceRules }) => nonResourceRules.length > 0),
    };
    this.#candidates.set(user, candidates);
    return candidates;
  }
}

const mandatoryLevels = () => mandatoryPriorityLevels.map(readPriorityLevel);
const mandatorySchemas = () => mandatoryFlowSchemas.map(readFlowSchema);

function withMandatory<T extends { readonly name: string }>(
  given: readonly T[],
  mandatory: readonly T[],
): T[] {
  const names = new Set(given.map(({ name }) => name));
  return [...given, ...mandatory.filter(({ name }) => !names.has(name))];
}
