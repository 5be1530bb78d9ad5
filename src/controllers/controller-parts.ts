import type { PolicyTypeChecker } from '../admission/index.ts';
import type { Clock, Timers } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';
import type { CrdFeeds } from './crd-feed.ts';
import type { Stage } from './stages/index.ts';

/** The certificate that a CertificateSigningRequest requests. */
export interface CertificateSpec {
  readonly signerName: string;
  /** In PEM. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** A certificate in PEM, or why there will be none; undefined for signers that others play. */
export type SignCertificate = (
  spec: CertificateSpec,
) => Promise<{ readonly certificate: string } | { readonly failure: string } | undefined>;

/** The dependencies of a controller. */
export interface ControllerParts {
  readonly registry: Registry;
  /** The stored CRDs. */
  readonly crds: CrdFeeds;
  readonly clock: Clock;
  /** The timers of the clock. */
  readonly timers: Timers;
  /** Checks the types of policies. */
  readonly policyTypes: PolicyTypeChecker;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Called for errors that are retried. */
  readonly onTrouble: (error: unknown) => void;
  /** Where other servers share the storage: how long a write of theirs may take that was accepted before a change. */
  readonly settleMs?: number;
  /** The stages of simulated objects, which replace the rules for their kind. */
  readonly stages?: readonly Stage[];
  /** Signs CertificateSigningRequests. */
  readonly signCertificate: SignCertificate;
}
