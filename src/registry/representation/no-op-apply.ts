import type { AdmissionChain } from '../../admission/index.ts';
import type { Endpoint } from '../../kinds/index.ts';

/** An apply that changed nothing, cached with the object. */
export interface NoOpApply {
  /** A hash of the whole request. */
  readonly digest: string;
  /** Forks of a server share representations, but not always admission plugins. */
  readonly admission: AdmissionChain;
  /** What it told the client. */
  readonly warnings: readonly string[];
  /** What it looks at; undefined where any change of the object concerns it. */
  readonly parts: AppliedParts | undefined;
}

/** What an apply looks at: beside these, the object may change, and the apply still comes to nothing. */
export interface AppliedParts {
  /** The fields at the root of the configuration, apart from `apiVersion`, `kind` and `metadata`. */
  readonly fields: readonly string[];
  /** The manager whose managedFields entry must not change. */
  readonly manager: string;
  readonly endpoint: Endpoint;
}
