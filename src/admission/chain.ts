import type { AdmissionAttributes } from './attributes.ts';

/**
 * One check or change between decoding and storing. Throws a StatusError to refuse.
 * Source: k8s.io/apiserver/pkg/admission.
 */
export interface AdmissionPlugin {
  /** As `--disable-admission-plugins` names it. */
  readonly name: string;
  /**
   * True where the verdict on an update follows from its attributes alone, so that it need not be asked for the same
   * update twice. To be left out by what looks at other objects, at the clock, or over the network.
   */
  readonly repeatsUpdates?: boolean;
  /** True where updates pass, whatever they are. */
  readonly ignoresUpdates?: boolean;
  /** True where no object is ever changed. What does not say so is given objects that it shares with nobody. */
  readonly changesNothing?: boolean;
  /** Before validation; may change the object. */
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

  /** True where no plugin changes an object. */
  get changesNothing(): boolean {
    return this.#plugins.every((plugin) => plugin.changesNothing === true);
  }

  /** True where every plugin gives the same verdict on the same update. */
  get repeatsUpdates(): boolean {
    return this.#plugins.every((plugin) => plugin.repeatsUpdates === true);
  }

  /** True where no plugin has anything against an update. */
  get ignoresUpdates(): boolean {
    return this.#plugins.every((plugin) => plugin.ignoresUpdates === true);
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.admit?.(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.validate?.(attributes);
  }
}
