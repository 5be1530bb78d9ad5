import type { AdmissionChain } from '../../admission/index.ts';
import type { Endpoint } from '../../kinds/index.ts';

/** An apply that changed nothing, cached with the object. */
export interface NoOpApply {
  /** A hash of the whole request. */
  readonly digest: string;
  /** Forks of a server share representations, but not always admission plugins. */
  readonly admission: AdmissionChain;
  /** The warnings that it caused. */
  readonly warnings: readonly string[];
  /** The parts of the object that it depends on; undefined if it depends on all. */
  readonly parts: AppliedParts | undefined;
}

/** The parts that an apply depends on: changes of other parts do not affect its result. */
export interface AppliedParts {
  /** The fields at the root of the configuration, apart from `apiVersion`, `kind` and `metadata`. */
  readonly fields: readonly string[];
  /** The manager whose managedFields entry must not change. */
  readonly manager: string;
  readonly endpoint: Endpoint;
}
