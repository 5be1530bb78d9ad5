import type { AdmissionAttributes } from './attributes.ts';

/**
 * One check or change between decoding and storing. Throws a StatusError to refuse.
 * Source: k8s.io/apiserver/pkg/admission.
 */
export interface AdmissionPlugin {
  /** As `--disable-admission-plugins` names it. */
  readonly name: string;
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

  async admit(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.admit?.(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.validate?.(attributes);
  }
}
