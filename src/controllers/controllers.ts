import type { ControllerParts } from './controller-parts.ts';
import { runCrdConditions } from './crd-conditions.ts';
import { runCrdFinalizer } from './crd-finalizer.ts';
import { runCrdNames } from './crd-names.ts';
import { runGarbageCollector } from './garbage-collector/garbage-collector.ts';
import { runNamespaceLifecycle } from './namespace-lifecycle.ts';

export interface ControllersOptions extends Omit<ControllerParts, 'signal'> {
  /** Controllers that stay off, by name; see {@link controllerNames}. */
  readonly disabled?: readonly string[];
}

/** Controllers that run. */
export interface Controllers {
  /** Ends them, after what they are doing right now. */
  close(): Promise<void>;
}

type Run = (parts: ControllerParts) => { readonly done: Promise<void> };

/** Every controller in the order in which it starts. A new one is a file and a line here. */
const controllers: readonly (readonly [name: string, run: Run])[] = [
  ['crd-names', runCrdNames],
  ['crd-conditions', runCrdConditions],
  ['crd-finalizer', runCrdFinalizer],
  ['namespace', runNamespaceLifecycle],
  ['garbage-collector', runGarbageCollector],
];

/** What can be switched off. */
export const controllerNames: readonly string[] = controllers.map(([name]) => name);

/**
 * Starts every controller that is not switched off.
 *
 * @throws {RangeError} for a name that no controller has
 */
export function startControllers({ disabled = [], ...options }: ControllersOptions): Controllers {
  for (const name of disabled) {
    if (controllerNames.includes(name)) continue;
    throw new RangeError(`there is no controller ${name}: they are ${controllerNames.join(', ')}`);
  }
  const abort = new AbortController();
  const parts = { ...options, signal: abort.signal };
  const enabled = controllers.filter(([name]) => !disabled.includes(name));
  const running = enabled.map(([, run]) => run(parts));
  return {
    async close() {
      abort.abort();
      await Promise.all(running.map(({ done }) => done));
    },
  };
}
