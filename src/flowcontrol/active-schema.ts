import { FlowCounts } from './flow-counts.ts';
import type { FlowSchema } from './flow-schema.ts';
import type { LevelState } from './level-state.ts';
import { flowDistinguisher } from './match-schema.ts';
import type { Flow } from './place.ts';
import type { RequestDigest } from './request-digest.ts';
import { dealHand, flowHash } from './shuffle-shard.ts';

/** The schema, level and flow of a request. */
export interface Classified extends Flow {
  readonly schema: FlowSchema;
  readonly level: LevelState;
  readonly headers: FlowHeaders;
}

/**
 * The headers of every response: UIDs instead of names, so that clients do not learn their priority. Source:
 * k8s.io/api/flowcontrol/v1, ResponseHeaderMatchedFlowSchemaUID.
 */
export interface FlowHeaders {
  readonly 'x-kubernetes-pf-flowschema-uid': string;
  readonly 'x-kubernetes-pf-prioritylevel-uid': string;
}

/** The number of flows of a schema that are kept. */
const flowsMax = 10_000;

/** A schema whose level exists, and its flows. */
export class ActiveSchema {
  readonly schema: FlowSchema;
  readonly level: LevelState;
  readonly counts: FlowCounts;
  readonly #headers: FlowHeaders;
  readonly #flows = new Map<string, Classified>();

  constructor(schema: FlowSchema, level: LevelState, counts = new FlowCounts()) {
    this.schema = schema;
    this.level = level;
    this.counts = counts;
    this.#headers = Object.freeze({
      'x-kubernetes-pf-flowschema-uid': schema.uid,
      'x-kubernetes-pf-prioritylevel-uid': level.config.uid,
    });
  }

  /** The flow of a request that the schema matches; the same object until there are too many. */
  flowOf(digest: RequestDigest): Classified {
    const queues = this.level.config.queuing?.queues ?? 0;
    const distinguisher = queues > 1 ? flowDistinguisher(digest, this.schema) : '';
    return this.#flows.get(distinguisher) ?? this.#add(distinguisher);
  }

  #add(distinguisher: string): Classified {
    const { schema, level, counts } = this;
    const hand = this.#hand(distinguisher);
    const flow = {
      schemaName: schema.name,
      schema,
      level,
      counts,
      distinguisher,
      hand,
      headers: this.#headers,
    };
    if (this.#flows.size >= flowsMax) this.#flows.clear();
    this.#flows.set(distinguisher, flow);
    return flow;
  }

  #hand(distinguisher: string): readonly number[] {
    const { queuing, exempt } = this.level.config;
    if (queuing === undefined || exempt) return [];
    const { queues: deckSize, handSize } = queuing;
    return dealHand(deckSize > 1 ? flowHash(this.schema.name, distinguisher) : 0n, { deckSize, handSize });
  }
}
