import type { AdmissionObserver, AdmissionPhase } from './admission-record.ts';
import type { AdmissionAttributes, AdmissionScope } from './attributes.ts';
import { startTimer } from './timed.ts';

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
  readonly #observer: AdmissionObserver | undefined;

  /** @param observer told of what is done about every write */
  constructor(plugins: readonly AdmissionPlugin[], observer?: AdmissionObserver) {
    this.#plugins = Object.freeze([...plugins]);
    this.#observer = observer;
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
    if (this.#observer !== undefined) attributes.observe(this.#observer);
    await noted(attributes, { what: 'step', name: '', phase: 'admit' }, async () => {
      for (const plugin of asked) await ask(plugin, 'check', attributes);
      for (const plugin of asked) await ask(plugin, 'admit', attributes);
      if (!attributes.reinvocation.begin()) return;
      for (const plugin of asked) await ask(plugin, 'admit', attributes);
    });
  }

  /** After validation. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const asked = this.#plugins.filter((plugin) => plugin.handles(attributes));
    if (asked.length === 0) return;
    if (this.#observer !== undefined) attributes.observe(this.#observer);
    await noted(attributes, { what: 'step', name: '', phase: 'validate' }, async () => {
      for (const plugin of asked) await ask(plugin, 'validate', attributes);
    });
  }
}

/** Upstream counts checks as admits. */
async function ask(
  plugin: AdmissionPlugin,
  moment: 'check' | 'admit' | 'validate',
  attributes: AdmissionAttributes,
): Promise<void> {
  const call = plugin[moment]?.bind(plugin);
  if (call === undefined) return;
  const phase = moment === 'validate' ? 'validate' : 'admit';
  await noted(attributes, { what: 'plugin', name: plugin.name, phase }, () => call(attributes));
}

interface Asked {
  readonly what: 'step' | 'plugin';
  readonly name: string;
  readonly phase: AdmissionPhase;
}

async function noted(
  attributes: AdmissionAttributes,
  asked: Asked,
  call: () => Promise<void>,
): Promise<void> {
  const { operation } = attributes;
  const seconds = startTimer();
  let rejected = true;
  try {
    await call();
    rejected = false;
  } finally {
    attributes.record({ ...asked, operation, rejected, seconds: seconds() });
  }
}
