import type { Clock } from '../meta/index.ts';
import type { AuditBackend } from './backend.ts';
import { CommonTexts } from './common-texts.ts';
import { type AuditFacts, EventTexts } from './event.ts';
import type { AuditedAttributes, AuditPolicy, AuditRule, AuditStage } from './policy.ts';

interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  readonly clock: Clock;
  /** Called with lost events. */
  readonly onTrouble: (error: unknown) => void;
}

interface TrailOptions extends AuditorOptions {
  readonly texts: CommonTexts;
}

/** A request before authentication. */
type AuditedRequest = Pick<AuditFacts, 'auditId' | 'requestUri' | 'sourceIps' | 'userAgent' | 'receivedMs'>;

/** Writes audit events, as the policy requires. */
export class Auditor {
  readonly #options: TrailOptions;

  constructor(options: AuditorOptions) {
    this.#options = { ...options, texts: new CommonTexts() };
  }

  /** The same auditor with an additional backend, which it does not close. */
  withBackend(backend: AuditBackend): Auditor {
    return new Auditor({ ...this.#options, backends: [...this.#options.backends, backend] });
  }

  /** Starts to audit a request; undefined if the policy writes nothing about it. */
  follow(request: AuditedRequest, attributes: AuditedAttributes): AuditTrail | undefined {
    const rule = this.#options.policy.ruleFor(attributes);
    if (rule.level === 'None') return undefined;
    const { verb, user, resource } = attributes;
    return new AuditTrail({ ...request, verb, user, resource }, rule, this.#options);
  }

  async close(): Promise<void> {
    for (const backend of this.#options.backends) await backend.close();
  }
}

type RequestFacts = AuditedRequest & Pick<AuditFacts, 'verb' | 'user' | 'resource'>;
type LaterFacts = Partial<
  Pick<AuditFacts, 'impersonated' | 'constraint' | 'named' | 'request' | 'code' | 'status' | 'response'>
>;
type KnownFacts = Omit<AuditFacts, keyof LaterFacts> & LaterFacts;

/** One request, from its arrival to its last byte. */
export class AuditTrail {
  readonly rule: AuditRule;
  readonly #options: TrailOptions;
  readonly #annotations = new Map<string, string>();
  /** Changed in place: a copy for each new fact would cost more than the event. */
  readonly #facts: KnownFacts;
  #texts: EventTexts | undefined;
  /** Writes about the arrival that the request did not wait for. */
  #unwaited: boolean | Promise<boolean> = true;

  constructor(facts: RequestFacts, rule: AuditRule, options: TrailOptions) {
    this.rule = rule;
    this.#options = options;
    this.#facts = {
      auditId: facts.auditId,
      level: rule.level,
      omitManagedFields: rule.omitManagedFields,
      requestUri: facts.requestUri,
      verb: facts.verb,
      user: facts.user,
      sourceIps: facts.sourceIps,
      userAgent: facts.userAgent,
      resource: facts.resource,
      receivedMs: facts.receivedMs,
      annotations: this.#annotations,
    };
  }

  /** Milliseconds since the request arrived. */
  ageMs(): number {
    return this.#options.clock.now() - this.#facts.receivedMs;
  }

  /** True if the body of the request is written. */
  get keepsRequest(): boolean {
    return this.rule.level === 'Request' || this.rule.level === 'RequestResponse';
  }

  get keepsResponse(): boolean {
    return this.rule.level === 'RequestResponse';
  }

  /** Adds the known facts. */
  learn(more: LaterFacts): void {
    Object.assign(this.#facts, more);
  }

  /** The first value of an annotation applies, as upstream. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /**
   * Writes an event. False if a required backend has failed. What a forgiving backend writes about the arrival is waited
   * for with the next event.
   */
  reach(stage: AuditStage): boolean | Promise<boolean> {
    if (this.rule.omitStages.has(stage)) return this.#earlierWrites();
    this.#texts ??= new EventTexts(this.#facts, this.#options.texts);
    const text = this.#texts.text(this.#facts, stage, this.#options.clock.now());
    let all: boolean | Promise<boolean> = this.#earlierWrites();
    for (const backend of this.#options.backends) {
      const isAwaited = stage !== 'RequestReceived' || backend.isForgiving !== true;
      const written = this.#write(backend, { text, isAwaited });
      if (isAwaited) all = bothWritten(all, written);
      else this.#unwaited = bothWritten(this.#unwaited, written);
    }
    return all;
  }

  #earlierWrites(): boolean | Promise<boolean> {
    const writes = this.#unwaited;
    this.#unwaited = true;
    return writes;
  }

  #write(backend: AuditBackend, { text, isAwaited }: WrittenEvent): boolean | Promise<boolean> {
    const failed = (error: unknown) => {
      this.#options.onTrouble(error);
      return false;
    };
    try {
      const written = backend.write([text], isAwaited);
      return written instanceof Promise ? written.then(() => true, failed) : true;
    } catch (error) {
      return failed(error);
    }
  }
}

interface WrittenEvent {
  readonly text: string;
  readonly isAwaited: boolean;
}

function bothWritten(
  one: boolean | Promise<boolean>,
  other: boolean | Promise<boolean>,
): boolean | Promise<boolean> {
  if (one === true) return other;
  if (other === true) return one;
  return Promise.all([one, other]).then(([a, b]) => a && b);
}
