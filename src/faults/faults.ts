import {
  type FieldError,
  invalidError,
  isObject,
  type JsonObject,
  limits,
  notSupported,
  required,
  seededRandom,
} from '../meta/index.ts';
import { type HttpResponse, isStream, type KnownRequest, type RequestFilter } from '../http/index.ts';
import type { WebhookCall, WebhookFilter } from '../webhook/index.ts';
import type { FaultAction, FaultKind } from './fault-kind.ts';
import { faultKinds } from './fault-kinds.ts';
import { type Matches, readMatch } from './fault-match.ts';
import type { FaultRule } from './fault-rule.ts';
import { OpenWatch } from './open-watch.ts';
import { RuleReader } from './rule-reader.ts';

/** An active rule. */
export interface AddedFault extends Disposable {
  /** Unique among the rules of a server. */
  readonly id: string;
  readonly rule: FaultRule;
  /** The number of matching requests so far. */
  readonly seen: number;
  /** The number of requests it applied to. */
  readonly hits: number;
  /** Removes the rule; held requests continue. */
  remove(): void;
}

/**
 * Fault injection on an otherwise normal server. Rules are evaluated in the order in which they were added; the first
 * that answers ends the evaluation, one that only delays continues with the next.
 */
export class Faults {
  readonly #random: () => number;
  readonly #rules = new Map<string, Rule>();
  readonly #watches = new Set<OpenWatch>();
  #lastId = 0;

  /** @param random generates seeds */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** A request filter of a server. Without rules it costs nothing; open watches are tracked. */
  readonly filter: RequestFilter = (request, next) =>
    request.verb === 'watch' ? this.#watch(request, next) : this.#applyRules(request, next, undefined);

  /** A webhook filter of a server, for rules about webhook calls. */
  readonly webhooks: WebhookFilter = (call, next) => {
    for (const rule of this.#rules.values()) if (rule.applies(call)) return rule.actOnCall(call, next);
    return next();
  };

  /** The active rules, in order. */
  get rules(): readonly AddedFault[] {
    return [...this.#rules.values()];
  }

  /** @throws {StatusError} 422 with all errors of the rule */
  add(rule: FaultRule): AddedFault {
    // A FaultRule consists of JSON values; rules from HTTP are parsed the same way.
    return this.addUnchecked(rule as unknown as JsonObject);
  }

  /** Like {@link add}, for an untyped rule. */
  addUnchecked(rule: JsonObject): AddedFault {
    const errors: FieldError[] = [];
    const seed = Math.floor(this.#random() * 2 ** 32);
    const parts = readRule(rule, errors, seed);
    if (parts === undefined || errors.length > 0)
      throw invalidError({ group: '', kind: 'FaultRule' }, '', errors);
    if (this.#rules.size >= limits.faultRulesMax) throw tooManyRules();
    this.#lastId += 1;
    const id = `fault-${this.#lastId}`;
    const added = new Rule(id, parts, () => this.#rules.delete(id));
    this.#rules.set(id, added);
    for (const watch of this.#watches) added.actOnOpenWatch(watch);
    return added;
  }

  /** Removes a rule; false if there is none with this id. */
  remove(id: string): boolean {
    const rule = this.#rules.get(id);
    rule?.remove();
    return rule !== undefined;
  }

  /** Removes all rules. */
  clear(): void {
    for (const rule of this.rules) rule.remove();
  }

  async #watch(request: KnownRequest, next: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const watch = new OpenWatch(request);
    const response = await this.#applyRules(request, next, watch);
    if (!isStream(response.body)) return response;
    return { ...response, body: this.#remembered(watch, response.body) };
  }

  async *#remembered(watch: OpenWatch, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#watches.add(watch);
    try {
      yield* watch.stream(body);
    } finally {
      this.#watches.delete(watch);
    }
  }

  #applyRules(
    request: KnownRequest,
    next: () => Promise<HttpResponse>,
    watch: OpenWatch | undefined,
  ): Promise<HttpResponse> {
    const [first, ...others] = this.#rules.values();
    if (first === undefined) return next();
    return applyRules([first, ...others], { request, next, watch });
  }
}

interface ServedRequest {
  readonly request: KnownRequest;
  readonly next: () => Promise<HttpResponse>;
  readonly watch: OpenWatch | undefined;
}

/** Each rule is evaluated after the previous ones passed the request on. */
function applyRules([rule, ...others]: readonly Rule[], served: ServedRequest): Promise<HttpResponse> {
  if (rule === undefined) return served.next();
  const next = () => applyRules(others, served);
  return rule.applies(served.request) ? rule.act({ ...served, next }) : next();
}

interface RuleParts {
  readonly rule: FaultRule;
  readonly action: FaultAction;
  readonly matches: Matches;
  readonly skip: number;
  readonly count: number;
  readonly probability: number;
  readonly seed: number;
}

function readRule(rule: JsonObject, errors: FieldError[], newSeed: number): RuleParts | undefined {
  const kind = readKind(rule, errors);
  if (kind === undefined) return undefined;
  const reader = new RuleReader(rule, errors);
  reader.text('fault', '');
  const usualVerbs = kind.usualVerbs?.(rule) ?? kind.verbs;
  const matches = readMatch(reader.object('match'), kind, usualVerbs);
  const count = reader.number('count', { min: 1, integer: true }, Number.POSITIVE_INFINITY);
  const skip = reader.number('skip', { min: 0, integer: true }, 0);
  const probability = reader.number('probability', { min: 0, max: 1 }, 1);
  const seed = reader.number('seed', { min: 0, integer: true }, newSeed);
  const action = kind.read(reader);
  reader.finish();
  // Parsed without errors, so it is a FaultRule.
  const checked = { ...structuredClone(rule), seed } as unknown as FaultRule;
  return { rule: Object.freeze(checked), action, matches, count, skip, probability, seed };
}

function readKind(rule: JsonObject, errors: FieldError[]): FaultKind | undefined {
  const name = isObject(rule) && Object.hasOwn(rule, 'fault') ? rule['fault'] : undefined;
  const kind = faultKinds.find((one) => one.name === name);
  const names = faultKinds.map((one) => one.name);
  if (name === undefined) errors.push(required('fault', `one of ${names.join(', ')}`));
  else if (kind === undefined) errors.push(notSupported('fault', name, names));
  return kind;
}

function tooManyRules() {
  const detail = `there are ${limits.faultRulesMax} rules already: remove those that are over`;
  return invalidError({ group: '', kind: 'FaultRule' }, '', [
    { type: 'FieldValueForbidden', field: 'fault', detail },
  ]);
}

/** A rule with its counters and its random numbers. */
class Rule implements AddedFault {
  readonly id: string;
  readonly #parts: RuleParts;
  readonly #random: () => number;
  readonly #removed = new AbortController();
  readonly #onRemove: () => void;
  seen = 0;
  hits = 0;

  constructor(id: string, parts: RuleParts, onRemove: () => void) {
    this.id = id;
    this.#parts = parts;
    this.#random = seededRandom(parts.seed);
    this.#onRemove = onRemove;
  }

  get rule(): FaultRule {
    return this.#parts.rule;
  }

  /** Decides about a request or a call, and counts it. */
  applies(subject: KnownRequest | WebhookCall): boolean {
    const { matches, skip, count, probability } = this.#parts;
    if (!matches(subject)) return false;
    this.seen += 1;
    if (this.seen <= skip || this.hits >= count) return false;
    if (probability < 1 && this.#random() >= probability) return false;
    this.hits += 1;
    return true;
  }

  act(served: ServedRequest): Promise<HttpResponse> {
    const { signal } = this.#removed;
    return this.#parts.action.act({ ...served, random: this.#random, removed: signal });
  }

  actOnCall(...[call, next]: Parameters<WebhookFilter>): ReturnType<WebhookFilter> {
    return this.#parts.action.actOnCall?.(call, next) ?? next();
  }

  actOnOpenWatch(watch: OpenWatch): void {
    const { actOnOpenWatch } = this.#parts.action;
    if (actOnOpenWatch !== undefined && this.applies(watch.request))
      actOnOpenWatch(watch, this.#removed.signal);
  }

  remove(): void {
    this.#onRemove();
    this.#removed.abort();
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}
