import type { AdmissionAttributes, AdmissionScope } from './attributes.ts';

/**
 * One check or change between decoding and storing. Throws a StatusError to refuse.
 * Source: apiserver, pkg/admission/interfaces.go.
 */
export interface AdmissionPlugin {
  /** As `--disable-admission-plugins` names it. */
  readonly name: string;
  /**
   * Whether it does anything about such a write. Every write asks every plugin, so the answer must cost next to
   * nothing. A write that nobody handles pays for no attributes, and an apply that changes nothing may be answered from
   * memory.
   */
  handles(scope: AdmissionScope): boolean;
  /**
   * True where asking twice has the effects of asking once, and the answer depends on nothing but the write and its
   * namespace. On storage that several servers share, a write is first tried from cached state, which may be old; that is
   * left out where a plugin is asked that does not say so.
   */
  readonly isRepeatable?: boolean;
  /** Before all changes; may only refuse. */
  check?(attributes: AdmissionAttributes): Promise<void>;
  /** Before validation; may replace the object. Called once more where {@link Reinvocation} says so. */
  admit?(attributes: AdmissionAttributes): Promise<void>;
  /** After validation; may only refuse. */
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

/** The plugins in order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = Object.freeze([...plugins]);
  }

  /** Whether a plugin has to be asked about such a write. */
  handles(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins) if (plugin.handles(scope)) return true;
    return false;
  }

  /** Whether every plugin that handles such a write may be asked twice. */
  isRepeatable(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins)
      if (plugin.isRepeatable !== true && plugin.handles(scope)) return false;
    return true;
  }

  /** Whether a plugin may change the object of such a write. */
  mutates(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins) if (plugin.admit !== undefined && plugin.handles(scope)) return true;
    return false;
  }

  /** Before validation: checks, then changes, in two rounds at the most. */
  async admit(attributes: AdmissionAttributes): Promise<void> {
    const asked = this.#plugins.filter((plugin) => plugin.handles(attributes));
    for (const plugin of asked) await plugin.check?.(attributes);
    for (const plugin of asked) await plugin.admit?.(attributes);
    if (!attributes.reinvocation.begin()) return;
    for (const plugin of asked) await plugin.admit?.(attributes);
  }

  /** After validation. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) if (plugin.handles(attributes)) await plugin.validate?.(attributes);
  }
}
