import type { Clock } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** What a controller is made of. */
export interface ControllerParts {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Told of what goes wrong and is tried again. */
  readonly onTrouble: (error: unknown) => void;
}
