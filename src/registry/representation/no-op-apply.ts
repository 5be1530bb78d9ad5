import type { AdmissionChain } from '../../admission/index.ts';
import type { Endpoint } from '../../kinds/index.ts';

/** An apply that changed nothing, remembered beside the form of the object that it left as it was. */
export interface NoOpApply {
  /** Of everything that the request brought along. */
  readonly digest: string;
  /** Forks of a server share forms, but not always the plugins that are asked. */
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
  /** Whose entry in the managed fields must stay what it is. */
  readonly manager: string;
  readonly endpoint: Endpoint;
}
