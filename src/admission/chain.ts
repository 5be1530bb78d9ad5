import type { AdmissionObserver, AdmissionPhase } from './admission-record.ts';
import type { AdmissionAttributes, AdmissionScope } from './attributes.ts';
import { startTimer } from './timed.ts';

/**
 * One check or change between decoding and storing. Throws a StatusError to refuse.
 * Source: apiserver, pkg/admission/interfaces.go.
 */
export interface AdmissionPlugin {
  /** The name for `--disable-admission-plugins`. */
  readonly name: string;
  /**
   * Whether the plugin handles this kind of write. It is called for every plugin on every write, so it must be cheap.
   * A write that no plugin handles needs no attributes, and an apply without changes may then be answered from
   * memory.
   */
  handles(scope: AdmissionScope): boolean;
  /**
   * True if calling it twice has the same effect as once, and the result depends only on the write and its namespace.
   * On shared storage, a write is first tried with cached state, which may be old; if a plugin without this property
   * handles the write, that attempt is skipped.
   */
  readonly isRepeatable?: boolean;
  /** Runs before all changes; may only refuse. */
  check?(attributes: AdmissionAttributes): Promise<void>;
  /** Runs before validation; may replace the object. Runs again if {@link Reinvocation} requests it. */
  admit?(attributes: AdmissionAttributes): Promise<void>;
  /** Runs after validation; may only refuse. */
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

/** The plugins, in order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #observer: AdmissionObserver | undefined;

  /** @param observer called with what admission does about every write */
  constructor(plugins: readonly AdmissionPlugin[], observer?: AdmissionObserver) {
    this.#plugins = Object.freeze([...plugins]);
    this.#observer = observer;
  }

  /** Whether any plugin handles this kind of write. */
  handles(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins) if (plugin.handles(scope)) return true;
    return false;
  }

  /** Whether every plugin that handles this kind of write may be called twice. */
  isRepeatable(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins)
      if (plugin.isRepeatable !== true && plugin.handles(scope)) return false;
    return true;
  }

  /** Whether any plugin may change the object of this kind of write. */
  mutates(scope: AdmissionScope): boolean {
    for (const plugin of this.#plugins) if (plugin.admit !== undefined && plugin.handles(scope)) return true;
    return false;
  }

  /** Runs before validation: checks, then changes, in at most two rounds. */
  async admit(attributes: AdmissionAttributes): Promise<void> {
    const asked = this.#plugins.filter((plugin) => plugin.handles(attributes));
    if (this.#observer !== undefined) attributes.observe(this.#observer);
    await noted(attributes, { what: 'step', name: '', phase: 'admit' }, async () => {
      for (const plugin of asked) if (plugin.check !== undefined) await ask(plugin, 'check', attributes);
      for (const plugin of asked) if (plugin.admit !== undefined) await ask(plugin, 'admit', attributes);
      if (!attributes.reinvocation.begin()) return;
      for (const plugin of asked) if (plugin.admit !== undefined) await ask(plugin, 'admit', attributes);
    });
  }

  /** Runs after validation. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const asked = this.#plugins.filter((plugin) => plugin.handles(attributes));
    if (asked.length === 0) return;
    if (this.#observer !== undefined) attributes.observe(this.#observer);
    await noted(attributes, { what: 'step', name: '', phase: 'validate' }, async () => {
      for (const plugin of asked)
        if (plugin.validate !== undefined) await ask(plugin, 'validate', attributes);
    });
  }
}

/** Upstream counts checks as admits. */
async function ask(
  plugin: AdmissionPlugin,
  moment: 'check' | 'admit' | 'validate',
  attributes: AdmissionAttributes,
): Promise<void> {
  const phase = moment === 'validate' ? 'validate' : 'admit';
  await noted(attributes, { what: 'plugin', name: plugin.name, phase }, async () =>
    plugin[moment]?.(attributes),
  );
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
