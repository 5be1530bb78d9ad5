import type { Clock } from '../meta/index.ts';
import type { AuditBackend } from './backend.ts';
import { type AuditFacts, EventTexts } from './event.ts';
import type { AuditedAttributes, AuditPolicy, AuditRule, AuditStage } from './policy.ts';

interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  readonly clock: Clock;
  /** Called with lost events. */
  readonly onTrouble: (error: unknown) => void;
}

/** A request before authentication. */
type AuditedRequest = Pick<AuditFacts, 'auditId' | 'requestUri' | 'sourceIps' | 'userAgent' | 'receivedMs'>;

/** Writes audit events, as the policy requires. */
export class Auditor {
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    this.#options = options;
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
  Pick<AuditFacts, 'impersonated' | 'constraint' | 'request' | 'status' | 'response'>
>;
type KnownFacts = Omit<AuditFacts, keyof LaterFacts> & LaterFacts;

/** One request, from its arrival to its last byte. */
export class AuditTrail {
  readonly rule: AuditRule;
  readonly #options: AuditorOptions;
  readonly #annotations = new Map<string, string>();
  /** Changed in place: a copy for each new fact would cost more than the event. */
  readonly #facts: KnownFacts;
  #texts: EventTexts | undefined;

  constructor(facts: RequestFacts, rule: AuditRule, options: AuditorOptions) {
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

  /** Writes an event. False if a required backend has failed. */
  reach(stage: AuditStage): boolean | Promise<boolean> {
    if (this.rule.omitStages.has(stage)) return true;
    this.#texts ??= new EventTexts(this.#facts);
    const text = this.#texts.text(this.#facts, stage, this.#options.clock.now());
    const { backends } = this.#options;
    const [only] = backends;
    if (only !== undefined && backends.length === 1) return this.#write(only, text);
    const writes = backends.map((backend) => this.#write(backend, text));
    if (!writes.some((one) => one instanceof Promise)) return !writes.includes(false);
    return Promise.all(writes).then((all) => !all.includes(false));
  }

  #write(backend: AuditBackend, text: string): boolean | Promise<boolean> {
    const failed = (error: unknown) => {
      this.#options.onTrouble(error);
      return false;
    };
    try {
      const written = backend.write([text]);
      return written instanceof Promise ? written.then(() => true, failed) : true;
    } catch (error) {
      return failed(error);
    }
  }
}
