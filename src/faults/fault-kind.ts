import type { JsonObject } from '../meta/index.ts';
import type { HttpResponse, KnownRequest, Verb } from '../http/index.ts';
import type { WebhookFilter } from '../webhook/index.ts';
import type { OpenWatch } from './open-watch.ts';
import type { RuleReader } from './rule-reader.ts';

/** A request that a rule applies to. */
interface FaultedRequest {
  readonly request: KnownRequest;
  /** Lets the request go on. */
  readonly next: () => Promise<HttpResponse>;
  /** Chance of the rule's own, from 0 up to 1. */
  readonly random: () => number;
  /** Aborted when the rule is removed: what it holds up goes on. */
  readonly removed: AbortSignal;
  /** The watch that the request opens; its answer must come from `next`. Undefined for every other request. */
  readonly watch: OpenWatch | undefined;
}

/** What one rule does. */
export interface FaultAction {
  /** Answers a request that the rule applies to. */
  act(request: FaultedRequest): Promise<HttpResponse>;
  /** Acts on a watch that was open before the rule was there; left out where it is for new ones alone. */
  actOnOpenWatch?(watch: OpenWatch, removed: AbortSignal): void;
  /** Answers a call of a webhook that the rule applies to; for kinds that act on calls. */
  actOnCall?: WebhookFilter;
}

/** One way for a request to go wrong. A new one is a file in `kinds/` and a line in `fault-kinds.ts`. */
export interface FaultKind {
  readonly name: string;
  /** The verbs it can apply to. */
  readonly verbs: readonly Verb[];
  /** True where it applies to the calls of webhooks instead of requests. */
  readonly actsOnCalls?: true;
  /** The verbs of a rule that names none; all of {@link verbs} where this is left out. */
  usualVerbs?(rule: JsonObject): readonly Verb[];
  /** Reads the fields of its own in a rule. */
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
