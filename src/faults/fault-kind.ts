import type { JsonObject } from '../meta/index.ts';
import type { HttpResponse, KnownRequest, Verb } from '../http/index.ts';
import type { WebhookFilter } from '../webhook/index.ts';
import type { OpenWatch } from './open-watch.ts';
import type { RuleReader } from './rule-reader.ts';

/** A request that a rule applies to. */
interface FaultedRequest {
  readonly request: KnownRequest;
  /** Passes the request on. */
  readonly next: () => Promise<HttpResponse>;
  /** Random numbers of the rule, from 0 up to, not including, 1. */
  readonly random: () => number;
  /** Aborted when the rule is removed: held requests continue. */
  readonly removed: AbortSignal;
  /** The watch that the request opens; its response must come from `next`. Undefined for other requests. */
  readonly watch: OpenWatch | undefined;
}

/** The effect of one rule. */
export interface FaultAction {
  /** Handles a request that the rule applies to. */
  act(request: FaultedRequest): Promise<HttpResponse>;
  /** Acts on a watch that was opened before the rule was added; absent if the rule affects only new ones. */
  actOnOpenWatch?(watch: OpenWatch, removed: AbortSignal): void;
  /** Handles a webhook call that the rule applies to; for kinds about calls. */
  actOnCall?: WebhookFilter;
}

/** A kind of fault. A new one is a file in `kinds/` and a line in `fault-kinds.ts`. */
export interface FaultKind {
  readonly name: string;
  /** The verbs it can apply to. */
  readonly verbs: readonly Verb[];
  /** True if it applies to webhook calls instead of requests. */
  readonly actsOnCalls?: true;
  /** The verbs of a rule without verbs; defaults to all {@link verbs}. */
  usualVerbs?(rule: JsonObject): readonly Verb[];
  /** Reads the fields that are specific to the kind. */
  read(reader: RuleReader): FaultAction;
}

/** The verbs of a rule about streams: watches. */
export function verbsOfStream(rule: JsonObject): readonly Verb[] {
  const isOfStream = Object.hasOwn(rule, 'afterEvents') || rule['open'] === true;
  return isOfStream ? ['watch'] : allVerbs;
}

export const allVerbs: readonly Verb[] = Object.freeze([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);
