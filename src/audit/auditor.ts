import type { Clock } from '../meta/index.ts';
import type { AuditBackend } from './backend.ts';
import { type AuditFacts, eventText } from './event.ts';
import type { AuditedAttributes, AuditPolicy, AuditRule, AuditStage } from './policy.ts';

interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  readonly clock: Clock;
  /** Told of events that were lost. */
  readonly onTrouble: (error: unknown) => void;
}

/** A request, before anybody knows whose it is. */
type AuditedRequest = Pick<AuditFacts, 'auditId' | 'requestUri' | 'sourceIps' | 'userAgent' | 'receivedMs'>;

/** Writes down what users do, as its policy says. */
export class Auditor {
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  /** The same auditor with one more backend, which is not closed with it. */
  withBackend(backend: AuditBackend): Auditor {
    return new Auditor({ ...this.#options, backends: [...this.#options.backends, backend] });
  }

  /** Follows a request; undefined where the policy says that nothing is written of it. */
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

/** One request, from its arrival to its last byte. */
export class AuditTrail {
  readonly rule: AuditRule;
  readonly #options: AuditorOptions;
  #facts: AuditFacts;

  constructor(
    facts: Omit<AuditFacts, 'level' | 'omitManagedFields' | 'annotations'>,
    rule: AuditRule,
    options: AuditorOptions,
  ) {
    this.rule = rule;
    this.#options = options;
    const { level, omitManagedFields } = rule;
    this.#facts = { ...facts, level, omitManagedFields, annotations: new Map() };
  }

  /** Milliseconds since the request arrived. */
  ageMs(): number {
    return this.#options.clock.now() - this.#facts.receivedMs;
  }

  /** True where what a request brings is written. */
  get keepsRequest(): boolean {
    return this.rule.level === 'Request' || this.rule.level === 'RequestResponse';
  }

  get keepsResponse(): boolean {
    return this.rule.level === 'RequestResponse';
  }

  /** Adds what is known by now. */
  learn(
    more: Partial<Pick<AuditFacts, 'impersonated' | 'constraint' | 'request' | 'status' | 'response'>>,
  ): void {
    this.#facts = { ...this.#facts, ...more };
  }

  /** The first value of an annotation counts, as upstream has it. */
  annotate(key: string, value: string): void {
    const { annotations } = this.#facts;
    if (!annotations.has(key))
      this.#facts = { ...this.#facts, annotations: new Map([...annotations, [key, value]]) };
  }

  /** Writes an event. False where a backend that must have it has failed. */
  reach(stage: AuditStage): boolean | Promise<boolean> {
    if (this.rule.omitStages.has(stage)) return true;
    const text = eventText(this.#facts, stage, this.#options.clock.now());
    const writes = this.#options.backends.map((backend) => this.#write(backend, text));
    const pending = writes.filter((one) => one instanceof Promise);
    if (pending.length === 0) return !writes.includes(false);
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
