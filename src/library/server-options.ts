import type { FeatureGateName } from '../meta/index.ts';
import type { CommonOptions, ListenAddress, ServiceAccountOptions } from '../server.ts';
import type { AdmissionFunction } from './admission-functions.ts';
import type { Conversions } from './conversion-endpoint.ts';
import type { Manifest } from './read-manifests.ts';

/** What is installed before the first request. */
export interface InitialObjects {
  /**
   * CustomResourceDefinitions that are established before the server starts: files, folders, `file:` URLs or objects,
   * including those of `@kubernetes/client-node` and `ilk types`. Other kinds in the files are ignored.
   */
  readonly crds?: readonly Manifest[];
  /**
   * Objects that exist before the server starts, including their status: a client would need a second request for
   * that. CRDs among them are established first, missing namespaces are created, and objects in an existing data
   * folder are replaced.
   */
  readonly objects?: readonly Manifest[];
}

/** The options of a server. All are optional; names and values are also checked at run time. */
export interface ServerOptions extends Omit<CommonOptions, 'listen' | 'simulate'>, InitialObjects {
  /**
   * Simulates the rest of a cluster: nodes become ready, pods are bound and run, workloads reach their status. Off by
   * default: see docs/simulate.md. `stages` are Stages of kwok: files, folders, `file:` URLs or objects; they replace the
   * rules for the objects that they select.
   */
  readonly simulate?: boolean | { readonly stages?: readonly Manifest[] };
  /**
   * Plain HTTP on a free port of the loopback interface by default; also the defaults of `host`, `port` and `tls`.
   * `false` opens no port.
   */
  readonly listen?: Partial<Omit<ListenAddress, 'tlsSettings'>> | false;
  /**
   * OpenAPI documents, as printed by `kubectl get --raw /openapi/v2`: files, or objects. Their kinds that are not
   * served otherwise are served as plain objects: see docs/built-in-kinds.md. A CRD of the same group and plural
   * replaces one.
   */
  readonly openapi?: readonly Manifest[];
  /** Absent gates have their defaults: see docs/reference/feature-gates.md. */
  readonly featureGates?: Partial<Readonly<Record<FeatureGateName, boolean>>>;
  /** How service account tokens are signed and verified. */
  readonly serviceAccounts?: Omit<ServiceAccountOptions, 'keys'>;
  /**
   * Conversion functions for the objects of CRDs, by CRD name. They run in this process and replace the `conversion`
   * of the CRDs in `crds`. Forks have them too.
   */
  readonly conversions?: Conversions;
  /**
   * Admission webhooks that are functions in this process. They are called once all initial objects exist; forks have
   * them too.
   */
  readonly webhooks?: readonly AdmissionFunction[];
}

/** The options that a fork inherits from its parent. */
export type FixedOption =
  | 'storage'
  | 'featureGates'
  | 'openapi'
  | 'serviceClusterIpRange'
  | 'kubernetesService'
  | 'conversions'
  | 'webhooks';

/** The options of a fork that differ from its parent. CRDs and objects are added to the existing ones. */
export type ForkOptions = Omit<ServerOptions, FixedOption>;
